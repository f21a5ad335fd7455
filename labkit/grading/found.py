"""What lies in the files, folders and archives given, before it has an owner."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from labkit.errors import LabError
from labkit.grading.archives import DEEPEST, MOST_INNER, Location, entries
from labkit.grading.regular import odd_kind

GRADABLE = (".ipynb", ".py")
PACKED = re.compile(r"\.(?:tar|tgz|tar\.\w+|gz|bz2|xz|7z|rar|zipx)$", re.I)
# What systems, editors and package managers leave behind; dot files are hidden too.
LEFT_BEHIND = {
    "__MACOSX",
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
    "Thumbs.db",
    "desktop.ini",
}
DEEPEST_FOLDER = 30
CANNOT = "not a submission; hand in a .ipynb or a .py file"


@dataclass(frozen=True)
class Found:
    """Something that was handed in: where it is, and by which names one gets there.

    `trail` begins below the path that was given, whose own name is `root`. `kind` is
    "file", "other" (nothing that could be graded) or "folder" (a place for files).
    """

    location: Location
    root: str
    trail: tuple[str, ...]
    kind: str = "file"
    fault: str = ""

    @property
    def name(self) -> str:
        return self.trail[-1]

    @property
    def path(self) -> str:
        return "/".join((self.root, *self.trail))

    @property
    def packed(self) -> bool:
        """Whether it lies in an archive that stood on the command line."""
        return self.location.given and bool(self.location.members)


def look_into(path: Path) -> Iterator[Found]:
    """All that is in a file, a folder or an archive; LabError if there is none.

    No link is followed. What must not be opened is not, and comes with its fault.
    """
    if not os.path.lexists(path):
        raise LabError(f"{path}: there is no such file or folder; check the name.")
    whole = path.absolute()
    if whole.is_dir() and not whole.is_symlink():
        root = whole.name or whole.resolve().name
        yield from _in_folder(Location(whole, ()), root, ())
        return
    at = Location(whole.parent, (whole.name,), given=True)
    if whole.name.lower().endswith(".zip") and not whole.is_symlink():
        yield from _unwrapped(list(_in_archive(at, whole.name, (), 1, [])))
    else:
        yield _file(at, whole.parent.name, (whole.name,), _kind_fault(whole))


def _in_folder(at: Location, root: str, trail: tuple[str, ...]) -> Iterator[Found]:
    folder = at.root.joinpath(*at.parts)
    try:
        with os.scandir(folder) as names:
            children = sorted(names, key=lambda child: child.name)
    except OSError as error:
        fault = f"cannot be read ({error.strerror}); give yourself the right to"
        yield Found(at, root, trail or (root,), "file", fault)
        return
    for child in children:
        if not _hidden(child.name):
            below = replace(at, parts=(*at.parts, child.name))
            yield from _child(below, root, (*trail, child.name), child)


def _child(
    at: Location, root: str, trail: tuple[str, ...], child: "os.DirEntry[str]"
) -> Iterator[Found]:
    if child.is_dir(follow_symlinks=False):
        yield Found(at, root, trail, "folder")
        if len(trail) > DEEPEST_FOLDER:
            yield Found(at, root, trail, "file", "folders far too deep in each other")
        else:
            yield from _in_folder(at, root, trail)
    elif child.name.lower().endswith(".zip") and child.is_file(follow_symlinks=False):
        yield from _in_archive(at, root, trail, 1, [])
    else:
        yield _file(at, root, trail, _kind_fault(Path(child.path)))


def _in_archive(
    at: Location, root: str, trail: tuple[str, ...], depth: int, seen: list[int]
) -> Iterator[Found]:
    """What an archive holds; `seen` counts the archives in a student's own."""
    seen.append(depth)
    students = not at.given or bool(at.members)
    try:
        if depth > DEEPEST or (students and len(seen) > MOST_INNER):
            raise LabError("too many archives in each other; pack only the notebooks")
        listed = list(entries(at))
    except (LabError, OSError) as error:
        yield Found(at, root, trail or (at.parts[-1],), "file", _sentence(error))
        return
    yield Found(at, root, trail, "folder")
    for entry in listed:
        if not entry.parts or any(map(_hidden, entry.parts)):
            continue
        below, way = at.within(entry.number), (*trail, *entry.parts)
        if entry.folder:
            yield Found(below, root, way, "folder")
        elif way[-1].lower().endswith(".zip") and not entry.fault:
            counted = seen if students else []
            yield from _in_archive(below, root, way, depth + 1, counted)
        else:
            yield _file(below, root, way, entry.fault)


def _unwrapped(found: list[Found]) -> list[Found]:
    """The same without the one folder that packers like to put around everything."""
    tops = {item.trail[0] for item in found if item.trail}
    if len(tops) != 1 or any(len(f.trail) == 1 and f.kind != "folder" for f in found):
        return [item for item in found if item.trail]
    inner = [replace(f, root=tops.copy().pop(), trail=f.trail[1:]) for f in found]
    return [item for item in inner if item.trail]


def _file(at: Location, root: str, trail: tuple[str, ...], fault: str) -> Found:
    name = trail[-1].lower()
    if PACKED.search(name):
        return Found(at, root, trail, "file", fault or "not a .zip; pack it as one")
    kind = "file" if name.endswith((*GRADABLE, ".zip")) else "other"
    return Found(at, root, trail, kind, fault or ("" if kind == "file" else CANNOT))


def _kind_fault(path: Path) -> str:
    try:
        return odd_kind(path.lstat().st_mode)
    except OSError as error:
        return _sentence(error)


def _sentence(error: LabError | OSError) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror}); hand it in again"
    return str(error)


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in LEFT_BEHIND
