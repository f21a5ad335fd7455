"""Pyodide, CPython for the browser: its core from the package `pyodide` on npm."""

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from labkit.errors import LabError

# CPython 3.14. The number and the hash change together: `npm view pyodide@… dist`.
VERSION = "314.0.7"
SHA512 = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsO"
    "lD2R1A=="
)
CORE = (
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide.js",
    "pyodide.mjs",
    "python_stdlib.zip",
)


def fetch(folder: Path) -> dict[str, Any]:
    """Put the core into a folder; its lock file is what comes back, as JSON."""
    with TemporaryDirectory() as name:
        archive = _packed(Path(name))
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest())
        if digest.decode() != SHA512:
            raise LabError(f"pyodide {VERSION} is not the one whose hash is pinned.")
        with tarfile.open(archive) as packed:
            for file in CORE:
                (folder / file).write_bytes(_read(packed, file))
            lock: dict[str, Any] = json.loads(_read(packed, "pyodide-lock.json"))
    return lock


def _packed(folder: Path) -> Path:
    if (npm := shutil.which("npm")) is None:
        raise LabError("npm is not installed, which brings Pyodide; install Node.js.")
    done = subprocess.run(
        [npm, "pack", "--silent", f"pyodide@{VERSION}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise LabError(f"npm has no pyodide {VERSION} for us ({last}).")
    return next(folder.glob("*.tgz"))


def _read(packed: tarfile.TarFile, name: str) -> bytes:
    file = packed.extractfile(f"package/{name}")
    assert file is not None
    return file.read()
