"""From what was found to students and their files."""

from collections import Counter, defaultdict
from functools import cache

from labkit.grading.found import Found
from labkit.grading.mapping import Mapping
from labkit.grading.names import Owner, clean_stem, own_name, owner_by_prefix, plain
from labkit.lab import lab_folder, lessons


def owned(found: list[Found], table: Mapping) -> dict[str, list[Found]]:
    """What was found, by student in alphabetical order.

    A student is whom the table names, else the learning platform, else the place.
    """
    groups = _groups(found, table)
    shared = Counter(owner.name.casefold() for owner in groups)
    students: dict[str, list[Found]] = defaultdict(list)
    for owner in sorted(groups, key=lambda o: (o.name.casefold(), o.name, o.id)):
        name = owner.full_name if shared[owner.name.casefold()] > 1 else owner.name
        students[name] += sorted(groups[owner], key=_order)
    return students


def _groups(found: list[Found], table: Mapping) -> dict[Owner, list[Found]]:
    """What was found, by owner; without folders that only hold others' files."""
    sizes = Counter(item.root for item in found if item.kind == "file" and item.packed)
    names = Counter(item.name for item in found if _bare(item))
    groups: dict[Owner, list[Found]] = defaultdict(list)
    for item in found:
        alone = sizes[item.root] == 1 if item.packed else names[item.name] > 1
        groups[_owner(item, table, alone)].append(item)
    tops = {_top(item) for item in found if item.kind == "file"}
    return {o: items for o, items in groups.items() if not _is_place(o, items, tops)}


def _is_place(owner: Owner, items: list[Found], tops: set[tuple[str, str]]) -> bool:
    """Whether it is no student, only a folder in which students' files lie."""
    if any(item.kind == "file" or owner != _by_place(item) for item in items):
        return False
    return any(_top(item) in tops for item in items)


def _top(item: Found) -> tuple[str, str]:
    return item.root, item.trail[0]


def _order(item: Found) -> tuple[tuple[str, ...], str, tuple[int, ...]]:
    return item.trail, str(item.location.root), item.location.members


def lesson_names(item: Found, exactly: bool = False) -> frozenset[str]:
    """The notebooks that a file's name holds, or is; else those its path holds."""
    if exactly:
        return _known() & {_lesson_like(item.name)}
    own = _held(item.name)
    return own or _held(item.path)


def _owner(item: Found, table: Mapping, by_root: bool) -> Owner:
    """Whose something is; `by_root` if its own name is no student's."""
    if student := table.student(_names_for_table(item)):
        return Owner(student)
    for part in item.trail:
        if found := owner_by_prefix(part):
            return found[0]
    if len(item.trail) > 1 or item.kind == "folder":
        return _by_place(item)
    if by_root or _lesson_like(item.name) in _known():
        return Owner(clean_stem(item.root))
    return Owner(clean_stem(item.name))


def _by_place(item: Found) -> Owner:
    return Owner(clean_stem(item.trail[0]))


def _names_for_table(item: Found) -> list[str]:
    """The paths and names a table may use for something, the longest first."""
    ways = ["/".join(item.trail[:end]) for end in range(len(item.trail), 0, -1)]
    return [*(f"{item.root}/{way}" for way in ways), *ways, item.name]


def _bare(item: Found) -> bool:
    """Whether it is a file that itself stood on the command line."""
    return item.location.given and not item.location.members


def _held(text: str) -> frozenset[str]:
    padded = f"_{plain(text)}_"
    return frozenset(name for name in _known() if f"_{name}_" in padded)


def _lesson_like(name: str) -> str:
    return plain(clean_stem(own_name(name)))


@cache
def _known() -> frozenset[str]:
    """The lessons and the other notebooks that the lab hands out."""
    built = (lab_folder() / "notebooks").glob("*.ipynb")
    return frozenset(lessons()) | {path.stem for path in built}
