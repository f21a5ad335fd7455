"""The instructor's own table of whose file is whose."""

import csv
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from labkit.errors import LabError
from labkit.grading.names import printable


@dataclass
class Mapping:
    """Students by file; a file is a path, a name, or a folder or archive around it."""

    students: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def student(self, names: Iterable[str]) -> str:
        """The student of the first of these names that the table holds, or ""."""
        for name in map(_key, names):
            if name in self.students:
                self.used.add(name)
                return self.students[name]
        return ""

    def unused(self) -> Iterator[tuple[str, str]]:
        """Each file that nobody asked for, and its student."""
        for name, student in self.students.items():
            if name not in self.used:
                yield name, student


def read_mapping(path: Path) -> Mapping:
    """The table in a CSV with the columns `file` and `student`; LabError if it is not.

    More columns do no harm, and semicolons do for commas.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise LabError(
            f"{path}: cannot be read; give a CSV in UTF-8 that begins file,student."
        ) from None
    first = text.partition("\n")[0]
    mark = ";" if first.count(";") > first.count(",") else ","
    rows = csv.DictReader(text.splitlines(keepends=True), delimiter=mark)
    if not {"file", "student"} <= set(rows.fieldnames or ()):
        raise LabError(f"{path}: its first line must name the columns file,student.")
    mapping = Mapping()
    for row in rows:
        _add(mapping, path, rows.line_num, row["file"], row["student"])
    return mapping


def _add(
    mapping: Mapping, path: Path, line: int, file: str | None, student: str | None
) -> None:
    if not (file or "").strip() and not (student or "").strip():
        return
    if not (file and student and file.strip() and student.strip()):
        raise LabError(f"{path}, line {line}: needs both a file and a student.")
    kept = mapping.students.setdefault(_key(file), printable(student))
    if kept != printable(student):
        raise LabError(
            f"{path}, line {line}: {printable(file)} has two students; leave one."
        )


def _key(name: str) -> str:
    name = unicodedata.normalize("NFC", name.strip()).replace("\\", "/")
    return name.removeprefix("./").rstrip("/")
