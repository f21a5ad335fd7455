"""The wheels of the browser edition: fetched by hash, and listed for Pyodide.

Versions and hashes are those of `requirements-site.txt`; what it has in common with
`requirements.txt`, with which everything is tested, is the same.
"""

import email
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labkit.errors import LabError
from labkit.lab import lab_folder

SHIPPED = (
    *("openai", "httpx2", "httpx2-jsfetch", "pydantic", "pydantic-core", "jiter"),
    *("anyio", "sniffio", "idna", "h11", "annotated-types"),
    *("typing-extensions", "typing-inspection", "jinja2", "markupsafe", "simpleeval"),
    *("micropip", "ipython", "ipython-pygments-lexers", "asttokens", "comm"),
    *("executing", "jedi", "matplotlib-inline", "parso", "pygments"),
    *("prompt-toolkit", "pure-eval", "stack-data", "traitlets", "wcwidth"),
    *("ipywidgets", "jupyterlab-widgets"),
)
# There is no wheel of it for browsers; without a compiler it builds in pure Python.
BUILT = "markupsafe"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
KERNELS_OWN = ("piplite", "ipykernel", "pyodide_kernel")
# The kernel brings a stand-in of its own.
STAND_INS = {"widgetsnbextension"}
FOR_PYODIDE = (
    *("--python-version", "3.14", "--implementation", "cp"),
    *("--abi", "cp314", "--abi", "none"),
    *("--platform", "pyemscripten_2026_0_wasm32", "--platform", "any"),
)


def fetch(folder: Path) -> None:
    """Put the wheels into a folder; LabError if one has not the hash it should have."""
    pins = _pins()
    if missing := [name for name in SHIPPED if name not in pins]:
        raise LabError(
            f"requirements-site.txt pins no {', '.join(missing)}; make lock."
        )
    ready = [_unmarked(pins[name]) for name in SHIPPED if name != BUILT]
    only_wheels = ["download", "--only-binary=:all:", *FOR_PYODIDE, "-d", str(folder)]
    _pip(only_wheels, ready)
    _pip(["wheel", f"--no-binary={BUILT}", "-w", str(folder)], [pins[BUILT]])


def environment(folder: Path) -> Path:
    """The Python of a new environment that holds JupyterLite.

    It is apart from ours: beside JupyterLab, its kernel would show up there, too.
    """
    done = subprocess.run(
        [sys.executable, "-m", "venv", folder], capture_output=True, check=False
    )
    if done.returncode:
        raise LabError("Python's venv does not work here, which the site needs.")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    _pip(["install"], list(_pins().values()), str(python))
    return python


def take_kernel(environment: Path, folder: Path) -> None:
    """Put the wheels that JupyterLite's kernel brings for itself into a folder."""
    extension = environment / "share/jupyter/labextensions" / KERNEL
    for name in KERNELS_OWN:
        for wheel in (extension / "static" / "pypi").glob(f"{name}-*.whl"):
            shutil.copy(wheel, folder)


def packages(
    folder: Path, info: dict[str, str], packed: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """The wheels of a folder as Pyodide's lock file lists them.

    A package is loaded with all that it depends on but what is `packed` already. Raises
    LabError if something it depends on is not there.
    """
    found = {entry["name"]: entry for entry in map(_entry, _wheels(folder))}
    for entry in found.values():
        needed = [Requirement(text) for text in entry.pop("requires")]
        names = [str(canonicalize_name(r.name)) for r in needed if _applies(r, info)]
        there = STAND_INS.union(packed) - found.keys()
        entry["depends"] = [name for name in names if name not in there]
        if missing := [name for name in entry["depends"] if name not in found]:
            raise LabError(f"{entry['name']} needs {', '.join(missing)}; ship it too.")
    return found


def _wheels(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.whl"))


def _entry(wheel: Path) -> dict[str, Any]:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        info = next(n for n in names if n.endswith(".dist-info/METADATA"))
        about = email.message_from_bytes(archive.read(info))
    modules = {n.split("/")[0] for n in names if n.endswith(".py")}
    return {
        "name": str(canonicalize_name(about["Name"])),
        "version": about["Version"],
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
        "imports": sorted(m.removesuffix(".py") for m in modules if "." not in m[:-3]),
        "requires": about.get_all("Requires-Dist") or [],
    }


def _applies(requirement: Requirement, info: dict[str, str]) -> bool:
    if requirement.marker is None:
        return True
    short = ".".join(info["python"].split(".")[:2])
    return requirement.marker.evaluate(
        {
            "extra": "",
            "implementation_name": "cpython",
            "os_name": "posix",
            "platform_machine": info["arch"],
            "platform_python_implementation": "CPython",
            "platform_system": "Emscripten",
            "python_full_version": info["python"],
            "python_version": short,
            "sys_platform": "emscripten",
        }
    )


def _pins() -> dict[str, str]:
    """The entries of requirements-site.txt by name: version, and marker, and hashes."""
    file = lab_folder() / "requirements-site.txt"
    if not file.is_file():
        raise LabError(f"{file} is not there; the site is built from a clone.")
    text = file.read_text(encoding="utf-8")
    entries = re.findall(r"^(\S+)==([^\s;]+)([^\n]*)\n((?:\s+\S.*\n)*)", text, re.M)
    return {
        name: f"{name}=={version}{marker}\n"
        + re.sub(r"^\s+#.*\n", "", rest, flags=re.M)
        for name, version, marker, rest in entries
    }


def _unmarked(pin: str) -> str:
    """The pin for a browser, whatever system we are on."""
    return re.sub(r"^(\S+)[^\n]*", r"\1 \\", pin)


def _pip(
    words: list[str], requirements: list[str], python: str = sys.executable
) -> None:
    with TemporaryDirectory() as name:
        file = Path(name, "requirements.txt")
        file.write_text("\n".join(requirements), encoding="utf-8")
        how = ["--require-hashes", "--no-deps", "--quiet", "-r", str(file)]
        done = subprocess.run(
            [python, "-m", "pip", *words, *how],
            env=os.environ | {"CC": "false"},  # no compiler, so a pure wheel
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        why = [line for line in done.stderr.splitlines() if "ERROR" in line]
        raise LabError(f"The wheels are not to be had: {' '.join(why)[:500]}")
