"""Folders of submissions, and what is collected in them."""

import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from labkit.errors import LabError
from labkit.grading.handed_in import HandedIn, collect
from tests.submissions.written import write

Members = dict[str | ZipInfo, bytes]


def filled(folder: Path, *names: str) -> Path:
    """A folder with a file of each name, which holds its own name."""
    for name in names:
        write(folder, name, name)
    return folder


def seen(*paths: Path, mapping: Path | None = None) -> list[tuple[str, str]]:
    return [(h.submission, h.student) for h in collect(list(paths), mapping)]


def only(*paths: Path) -> HandedIn:
    [handed_in] = collect(list(paths))
    return handed_in


def packed(members: Members, method: int = ZIP_DEFLATED) -> bytes:
    """A zip archive of these members."""
    made = io.BytesIO()
    with ZipFile(made, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return made.getvalue()


def collected(folder: Path, data: bytes, name: str = "alice.zip") -> list[HandedIn]:
    """What is found where a student's archive lies in a folder."""
    write(folder / "in", name, data)
    return list(collect([folder / "in"]))


def fault_of(folder: Path, data: bytes) -> str:
    [handed_in] = collected(folder, data)
    assert handed_in.submission == "alice"
    with pytest.raises(LabError):
        handed_in.read()
    return handed_in.fault
