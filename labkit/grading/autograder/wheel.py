"""A wheel of the labkit that runs here, for another machine to install."""

import base64
import csv
import hashlib
import io
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from labkit.errors import LabError
from labkit.lab import lab_folder

# What an installer wrote about this machine.
LOCAL = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}


def build_wheel(folder: Path) -> Path:
    """Make the wheel in a folder: built in a clone, otherwise packed as installed."""
    root = lab_folder()
    if (root / "pyproject.toml").is_file():
        return _built(root, folder)
    return _packed(folder)


def _built(root: Path, folder: Path) -> Path:
    if find_spec("hatchling") is None:
        raise LabError(
            "hatchling is not installed, which builds the wheel; install it."
        )
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    done = subprocess.run(
        [*build, str(folder)],
        cwd=root,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise LabError(f"{root}: the wheel cannot be built ({last}).")
    return next(folder.glob("labkit-*.whl"))


def _packed(folder: Path) -> Path:
    """The installed files as the wheel they came from, with a list of their own."""
    found = distribution("labkit")
    wheel = folder / f"labkit-{found.version}-py3-none-any.whl"
    info = f"labkit-{found.version}.dist-info"
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    with ZipFile(wheel, "w", ZIP_DEFLATED) as archive:
        for name, content in _installed_files(info):
            archive.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
            rows.writerow((name, f"sha256={digest.decode().rstrip('=')}", len(content)))
        rows.writerow((f"{info}/RECORD", "", ""))
        archive.writestr(f"{info}/RECORD", record.getvalue())
    return wheel


def _installed_files(info: str) -> Iterator[tuple[str, bytes]]:
    for file in distribution("labkit").files or []:
        ours = file.parts[0] in ("labkit", info) and file.suffix != ".pyc"
        if ours and not (file.parts[0] == info and file.name in LOCAL):
            yield file.as_posix(), Path(str(file.locate())).read_bytes()
