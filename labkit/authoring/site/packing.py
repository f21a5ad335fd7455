"""All that is pure Python in one file, and compiled: the first answer comes sooner.

Python unpacks wheels one by one and compiles what it imports, which takes a browser
seconds. So the wheels are unpacked at build time, and the code of what a learner loads
first lies beside its source; `python.mjs` writes it all where Python looks.
"""

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from labkit.errors import LabError

LIBRARY = "python_stdlib.zip"
COMPILED = "compiled.zip"  # what the rehearsal leaves: code, by the path of its source
PACKED = "packages.data"
# Two thirds of jedi's files are of packages that are not here.
DROPPED = re.compile(r"jedi/third_party/(django-stubs|typeshed/stubs)/")


def pack(shelf: Path, info: dict[str, str]) -> None:
    """Compile what lies on a shelf, and pack its pure wheels.

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
        [node, script, shelf], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-3:]
        raise LabError(f"The lab does not run in Pyodide: {' '.join(last)[:500]}")


def merge(shelf: Path, tag: str) -> None:
    """Put the pure wheels into one file, and all code where Python looks for it.

    `tag` is what Python has in the names of compiled files.
    """
    in_folder = f"{{}}/__pycache__/{{}}.{tag}.pyc"
    files: dict[str, bytes] = {}
    with ZipFile(shelf / COMPILED) as code:
        _rewrite(shelf / LIBRARY, code, "{}/{}.pyc")
        for wheel in sorted(shelf.glob("*.whl")):
            if wheel.stem.endswith("-none-any"):
                files.update(_with_code(wheel, code, in_folder))
                wheel.unlink()
            else:
                _rewrite(wheel, code, in_folder)
    (shelf / PACKED).write_bytes(packed(files))
    (shelf / COMPILED).unlink()


def packed(files: dict[str, bytes]) -> bytes:
    """Files as `python.mjs` reads them: a line that lists paths and sizes, then all."""
    listed = json.dumps([[path, len(data)] for path, data in files.items()])
    return gzip.compress(b"".join([listed.encode(), b"\n", *files.values()]), mtime=0)


def _rewrite(path: Path, code: ZipFile, place: str) -> None:
    """Put the code of modules into an archive, at the place where it is looked for."""
    files = dict(_with_code(path, code, place))
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def _with_code(path: Path, code: ZipFile, place: str) -> Iterator[tuple[str, bytes]]:
    with ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith("/") or DROPPED.match(name):
                continue
            yield name, archive.read(name)
            if name in code.NameToInfo:
                folder, _, file = name.rpartition("/")
                where = place.format(folder, file.removesuffix(".py"))
                yield where.removeprefix("/"), code.read(name)
