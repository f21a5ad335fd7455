"""All that is pure Python in one archive, and compiled: the first answer comes sooner.

Python reads the standard library out of an archive that it has from the start. What
lies there is not unpacked, which takes a browser seconds, and the code of what a
learner loads first lies beside its source, so it is not compiled there either.
"""

import re
import shutil
import subprocess
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from labkit.errors import LabError

LIBRARY = "python_stdlib.zip"
COMPILED = "compiled.zip"  # what the rehearsal leaves: code, by the path of its source
# What stays a wheel of its own, and is loaded with Python itself. The first ones the
# kernel would fetch one by one, if they were not there (pyodide-kernel's worker.ts);
# the others are native, or read files that lie beside them.
UNPACKED = (
    *("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"),
    *("jiter", "pydantic-core", "parso", "labkit"),
)
# Two thirds of jedi's files are of packages that are not here.
DROPPED = re.compile(r"jedi/third_party/(django-stubs|typeshed/stubs)/")


def pack(shelf: Path, info: dict[str, str]) -> None:
    """Compile what lies on a shelf, and move its pure wheels into the archive.

    `info` is Pyodide's. Raises LabError if Node is missing, or if the lab does not run.
    """
    _rehearse(shelf)
    major, minor, *_ = info["python"].split(".")
    merge(shelf, f"cpython-{major}{minor}")


def _rehearse(shelf: Path) -> None:
    if (node := shutil.which("node")) is None:
        raise LabError("Node.js is not installed, which the site's Python runs in.")
    script = Path(__file__).with_name("rehearsal.mjs")
    done = subprocess.run(
        [node, script, shelf, *UNPACKED], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-3:]
        raise LabError(f"The lab does not run in Pyodide: {' '.join(last)[:500]}")


def merge(shelf: Path, tag: str) -> None:
    """Put the pure wheels into the archive, and all code beside its source.

    `tag` is what Python has in the names of compiled files.
    """
    in_wheel = f"{{}}/__pycache__/{{}}.{tag}.pyc"
    with ZipFile(shelf / COMPILED) as code, _new(packed := shelf / "packed") as archive:
        _copy(shelf / LIBRARY, archive, code, "{}/{}.pyc")
        for wheel in sorted(shelf.glob("*.whl")):
            if wheel.name.split("-")[0].replace("_", "-") not in UNPACKED:
                _copy(wheel, archive, code, "{}/{}.pyc")
                wheel.unlink()
                continue
            with _new(kept := shelf / "kept") as own:
                _copy(wheel, own, code, in_wheel)
            kept.replace(wheel)
    packed.replace(shelf / LIBRARY)
    (shelf / COMPILED).unlink()


def _copy(source: Path, target: ZipFile, code: ZipFile, place: str) -> None:
    """Copy all files; the code of a module goes to the place where it is looked for."""
    with ZipFile(source) as archive:
        for name in archive.namelist():
            if name.endswith("/") or DROPPED.match(name):
                continue
            target.writestr(name, archive.read(name))
            if name in code.NameToInfo:
                folder, _, file = name.rpartition("/")
                where = place.format(folder, file.removesuffix(".py"))
                target.writestr(where.removeprefix("/"), code.read(name))


def _new(path: Path) -> ZipFile:
    return ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9)
