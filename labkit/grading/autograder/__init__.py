"""The zip that makes Gradescope grade with labkit."""

import json
import re
import stat
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from labkit.grading.autograder.wheel import build_wheel
from labkit.lab import checker_file, lessons

PROGRAMS = ("setup.sh", "run_autograder")


def write_autograder(chosen: list[str], out: Path, allow_weak: bool) -> list[str]:
    """Write the zip for these lessons, or all; what is in it comes back, as lines.

    LabError if there is no such lesson, or no wheel can be made.
    """
    for lesson in chosen:
        checker_file(lesson)
    order = {"lessons": chosen or lessons(), "allow_weak_isolation": allow_weak}
    whole = out.with_name(f"{out.name}.unfinished")
    with TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        with ZipFile(whole, "w", ZIP_DEFLATED) as archive:
            for name in PROGRAMS:
                _add(archive, name, files(__name__).joinpath(name).read_bytes(), 0o755)
            _add(archive, "autograder.json", json.dumps(order).encode())
            _add(archive, "constraints.txt", _constraints().encode())
            _add(archive, "python_version.txt", _python_version().encode())
            _add(archive, wheel.name, wheel.read_bytes())
    whole.replace(out)
    with ZipFile(out) as archive:
        return [f"  {info.filename}: {info.file_size:,} B" for info in archive.filelist]


def _add(archive: ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    """Put a file in, always with the same date, so that equal zips are equal."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | mode) << 16
    archive.writestr(info, content)


def _constraints() -> str:
    """The versions that labkit runs with here, a line each, for pip to keep to.

    Which of them another system needs is for pip to say there.
    """
    pins: dict[str, str] = {}
    left = ["labkit"]
    while left:
        name = _plain(left.pop())
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # for another system or another Python
        if name not in pins:
            pins[name] = found.version
            needed = (r for r in found.requires or [] if "extra ==" not in r)
            left += [re.split(r"[^\w.-]", requirement)[0] for requirement in needed]
    del pins["labkit"]
    return "".join(f"{name}=={pins[name]}\n" for name in sorted(pins))


def _python_version() -> str:
    """The Python those versions were chosen for, such as 3.12."""
    return "{}.{}\n".format(*sys.version_info)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
