"""What was handed in: each file once, whose it is, and why it cannot be graded."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

from labkit.errors import LabError
from labkit.grading import archives
from labkit.grading.archives import Location
from labkit.grading.found import Found, look_into
from labkit.grading.mapping import Mapping, read_mapping
from labkit.grading.names import Unique, own_name, printable, safe_name
from labkit.grading.owners import lesson_names, owned

__all__ = ["HandedIn", "collect", "safe_name"]

NOTHING = "nothing was handed in"


@dataclass(frozen=True)
class HandedIn:
    """One file of a batch, `submission` its name in it; plain data, to be sent around.

    `fault` is the sentence that says why it cannot be graded; `missing` that there is
    no file at all. `named` are the notebooks its own name or path holds, `covered`
    those that the student's other files are by name.
    """

    submission: str
    student: str
    path: str
    sha256: str = ""
    fault: str = ""
    location: Location | None = field(default=None, repr=False)
    missing: bool = False
    named: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()

    def read(self) -> bytes:
        """What is in the file, read again; LabError if that is another than before."""
        if self.fault or self.location is None:
            raise LabError(self.fault or f"{self.path}: {NOTHING}.")
        data = _bytes(self.location, self.path)
        if self.sha256 and sha256(data).hexdigest() != self.sha256:
            raise LabError(
                f"{self.path}: changed after the batch began; run the same again."
            )
        return data

    def lessons(self, chosen: list[str]) -> list[str]:
        """Those of the chosen lessons that this file is to be graded for.

        The lessons its name or path holds; if none, all that no other file of the
        student is by name.
        """
        own = [lesson for lesson in chosen if lesson in self.named]
        return own or [lesson for lesson in chosen if lesson not in self.covered]


def collect(paths: list[Path], mapping: Path | None = None) -> Iterator[HandedIn]:
    """Each file in the paths once, by student; also those that cannot be graded.

    A path is a file, a folder or a .zip; the mapping a CSV with the columns file and
    student. LabError where a path or the mapping is not there.
    """
    table = read_mapping(mapping) if mapping else Mapping()
    found = [item for item in _once(paths) if not _is(item, mapping)]
    if not found:
        given = ", ".join(str(path) for path in paths)
        raise LabError(f"{given}: nothing to grade; give .ipynb, .py or .zip files.")
    students = owned(found, table)
    unique = Unique()
    for student, items in students.items():
        for handed_in in _of_student(student, items, unique):
            yield _hashed(handed_in)
    yield from _without_file(students, table, unique)


def _once(paths: Iterable[Path]) -> Iterator[Found]:
    seen: set[tuple[str, tuple[int, ...], str]] = set()
    for path in paths:
        for item in look_into(path):
            whole = item.location.root.joinpath(*item.location.parts)
            place = str(whole.parent.resolve() / whole.name)
            key = (place, item.location.members, item.kind)
            if key not in seen:
                seen.add(key)
                yield item


def _is(item: Found, mapping: Path | None) -> bool:
    whole = item.location.root.joinpath(*item.location.parts)
    return mapping is not None and whole == mapping.absolute()


def _of_student(student: str, items: list[Found], unique: Unique) -> Iterator[HandedIn]:
    """A student's files; where none is to be graded, one entry that says so."""
    files = [item for item in items if item.kind == "file"]
    if not files:
        yield _nothing_gradable(student, items, unique)
        return
    names = {item: lesson_names(item) for item in files}
    whole = {item: lesson_names(item, exactly=True) for item in files}
    for item in files:
        others = (whole[other] for other in files if other is not item)
        entry = HandedIn(
            unique(*_names(student, item, alone=len(files) == 1)),
            student,
            printable(item.path, 500),
            location=item.location,
            named=names[item],
            covered=frozenset().union(*others),
        )
        yield replace(entry, fault=_told(entry.path, item.fault))


def _names(student: str, item: Found, alone: bool) -> list[str]:
    """What a file may be called in a batch, the nicest first."""
    if alone:
        return [student]
    stem = PurePosixPath(own_name(item.name)).stem
    whole = "/".join(item.trail)
    return [f"{student}/{printable(stem)}", f"{student}/{printable(whole, 200)}"]


def _nothing_gradable(student: str, items: list[Found], unique: Unique) -> HandedIn:
    others = [item for item in items if item.kind == "other"]
    item = next((o for o in others if o.location.parts), items[0])
    path = printable(item.path, 500)
    if not others:
        fault = f"{path}: {NOTHING}."
        return HandedIn(unique(student), student, path, fault=fault, missing=True)
    more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
    fault = _told(f"{path}{more}", others[0].fault)
    return HandedIn(unique(student), student, path, fault=fault)


def _without_file(
    students: Iterable[str], table: Mapping, unique: Unique
) -> Iterator[HandedIn]:
    """An entry for each student of the table who handed nothing in."""
    seen = {name.casefold() for name in students}
    for name, student in table.unused():
        if student.casefold() not in seen:
            seen.add(student.casefold())
            path = printable(name, 500)
            fault = f"{path}: {NOTHING}."
            yield HandedIn(unique(student), student, path, fault=fault, missing=True)


def _hashed(handed_in: HandedIn) -> HandedIn:
    if handed_in.fault or handed_in.location is None:
        return handed_in
    try:
        data = _bytes(handed_in.location, handed_in.path)
    except LabError as error:
        return replace(handed_in, fault=str(error))
    return replace(handed_in, sha256=sha256(data).hexdigest())


def _bytes(location: Location, path: str) -> bytes:
    try:
        return archives.read(location)
    except OSError as error:
        raise LabError(f"{path}: cannot be read ({error.strerror}).") from None
    except LabError as error:
        raise LabError(_told(path, str(error))) from None


def _told(path: str, fault: str) -> str:
    return f"{path}: {fault}." if fault else ""
