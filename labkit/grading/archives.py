"""Archives of strangers: listed and read in memory, never unpacked to disk."""

import io
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from labkit.errors import LabError
from labkit.grading.names import printable
from labkit.grading.regular import PIECE, open_regular, read_all, read_regular

DEEPEST = 3  # a class in an archive, a student's archive, what that one packed again
MOST_INNER = 20  # archives in one student's archive, all levels together
LARGEST_INNER = 256 << 20
HARMLESS = 128 << 20  # smaller than this, it may be packed as densely as it likes
DENSEST = 100
LONGEST_PATH = 1000
DEEPEST_PATH = 30
LOCKED = 0x1
UTF8 = 0x800


@dataclass(frozen=True)
class Allowance:
    """What one archive may hold: entries, bytes once unpacked, bytes of directory."""

    entries: int
    size: int
    directory: int


CLASS = Allowance(entries=200_000, size=32 << 30, directory=64 << 20)
STUDENT = Allowance(entries=20_000, size=1 << 30, directory=4 << 20)


@dataclass(frozen=True)
class Location:
    """Where bytes are: a file at root/parts, and in it members, one per archive.

    A member is counted, not named, for an archive may hold the same name twice.
    `given` says that the file itself stood on the command line.
    """

    root: Path
    parts: tuple[str, ...]
    members: tuple[int, ...] = ()
    given: bool = False

    @property
    def around(self) -> "Location":
        """The archive that this is a member of."""
        return replace(self, members=self.members[:-1])

    def within(self, member: int) -> "Location":
        """A member of the archive here."""
        return replace(self, members=(*self.members, member))

    @property
    def allowance(self) -> Allowance:
        """What an archive here may hold: more in one that the instructor chose."""
        return CLASS if self.given and not self.members else STUDENT


@dataclass(frozen=True)
class Entry:
    """One name in an archive; `fault` says why it is not read, if it is not."""

    number: int
    parts: tuple[str, ...]
    fault: str = ""
    folder: bool = False


def read(location: Location) -> bytes:
    """The bytes there, at most 64 MiB; LabError or OSError if they cannot be had."""
    if not location.members:
        return read_regular(location.root, location.parts)
    archive = opened(location.around)
    try:
        info = archive.infolist()[location.members[-1]]
        with archive.open(_readable(info)) as file:
            return read_all(file)
    except LabError:
        raise
    except Exception as error:  # a damaged archive raises errors of many kinds
        raise _damaged(error) from None


def entries(location: Location) -> Iterator[Entry]:
    """What the archive there names; LabError if it is damaged, or a bomb."""
    archive = opened(location)
    infos, allowance = archive.infolist(), location.allowance
    if len(infos) > allowance.entries:
        raise LabError(f"an archive of {len(infos)} files; pack only the notebooks")
    total = sum(info.file_size for info in infos)
    packed = os.fstat(archive.file.fileno()).st_size  # not the sum: parts may overlap
    if total > allowance.size or total > max(HARMLESS, DENSEST * packed):
        raise LabError(
            f"an archive that unpacks to {total >> 20} MiB; pack only the notebooks"
        )
    for number, info in enumerate(infos):
        steps = _name(info).split("/")
        parts = tuple(part for part in steps if part not in ("", ".", ".."))
        yield Entry(number, parts, _fault(info), info.is_dir())


def opened(location: Location) -> "Archive":
    """The archive there, open; the last few are kept, for one serves many files."""
    status = os.stat(location.root.joinpath(*location.parts), follow_symlinks=False)
    return _opened(location, (status.st_ino, status.st_mtime_ns))


@lru_cache(maxsize=8)
def _opened(location: Location, stamp: tuple[int, int]) -> "Archive":
    try:
        return Archive(Bounded(_raw(location), location.allowance.directory))
    except (LabError, OSError):
        raise
    except Exception as error:
        raise _damaged(error) from None


def _raw(location: Location) -> io.FileIO:
    """The archive's own bytes as a file, those of an inner one in a nameless file."""
    if not location.members:
        return open_regular(location.root, location.parts)
    around = opened(location.around)
    info = _readable(around.infolist()[location.members[-1]])
    if info.file_size > LARGEST_INNER:
        raise LabError(
            "an archive above 256 MiB in an archive; pack only the notebooks"
        )
    file = io.FileIO(_nameless(), "r+")
    try:
        with around.open(info) as packed:
            while piece := packed.read(PIECE):
                file.write(piece)
        file.seek(0)
        return file
    except BaseException:
        file.close()
        raise


def _nameless() -> int:
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class Bounded(io.BufferedReader):
    """A file of which no more than `largest` bytes are read in one go.

    `zipfile` takes an archive's directory in one go, and into memory whole.
    """

    def __init__(self, raw: io.FileIO, largest: int) -> None:
        super().__init__(raw)
        self.largest = largest

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > self.largest:
            raise LabError("an archive of far too many files; pack only the notebooks")
        return super().read(size)


class Archive(ZipFile):
    """A zip archive that closes its file when nobody holds it any more."""

    def __init__(self, file: Bounded) -> None:
        self.file = file
        super().__init__(file)

    def __del__(self) -> None:
        super().__del__()
        self.file.close()


def _readable(info: ZipInfo) -> ZipInfo:
    if info.flag_bits & LOCKED:
        raise LabError("locked with a password; pack it without one")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise LabError("packed in an unusual way; pack it as an ordinary .zip")
    return info


def _fault(info: ZipInfo) -> str:
    """Why an entry is refused by its name or kind, or ""."""
    name = _name(info)
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or name[1:2] == ":":
        return "its path leaves the archive; pack the notebooks alone"
    if len(name) > LONGEST_PATH or len(parts) > DEEPEST_PATH:
        return "its path is far too long; pack the notebooks alone"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "a symbolic link, which is not followed; pack the file itself"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "not a regular file; pack the notebooks alone"
    return ""


def _name(info: ZipInfo) -> str:
    """The path as it was meant: some packers use backslashes, some forget a flag."""
    name = info.filename
    if not info.flag_bits & UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return name.replace("\\", "/")


def _damaged(error: Exception) -> LabError:
    why = printable(str(error))
    return LabError(f"a damaged archive ({why}); pack it again as an ordinary .zip")
