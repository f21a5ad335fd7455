"""Whose a file is, read off its name, and names that are safe to write."""

import re
import unicodedata
from dataclasses import dataclass
from hashlib import sha256

from labkit.display.report import one_line

LONGEST = 100
LONGEST_BYTES = 180  # with a mark and an ending a file system takes it
# What a learning platform puts before, or around, the name a student gave.
CANVAS = re.compile(
    r"(?P<name>[^_]+)(?:_late)?_(?P<id>\d{1,20})_\d{1,20}_(?P<file>.+)", re.I | re.S
)
MOODLE = re.compile(
    r"(?P<name>.+)_(?P<id>\d{1,20})_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)",
    re.S,
)
BLACKBOARD = re.compile(
    r"(?P<id>.+_(?P<name>[^_]+))_attempt_\d{4}(?:-\d\d){5}_?(?P<file>.*)", re.S
)
COPIED = re.compile(r"(?: ?\(\d{1,3}\)|[ _-]{1,3}copy[ _-]?\d{0,3})+$", re.I)
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.I)


@dataclass(frozen=True)
class Owner:
    """A student; `id` tells two of the same name apart, where a platform gave one."""

    name: str
    id: str = ""

    @property
    def full_name(self) -> str:
        """The name with the id."""
        return printable(f"{self.name}_{self.id}" if self.id else self.name)


def owner_by_prefix(name: str) -> tuple[Owner, str] | None:
    """The student a platform names in a file's name, and the rest of that name."""
    for pattern in (MOODLE, BLACKBOARD, CANVAS):
        if match := pattern.fullmatch(name[: 3 * LONGEST]):
            found = match.groupdict()
            return Owner(printable(found["name"]), printable(found["id"])), found[
                "file"
            ]
    return None


def own_name(name: str) -> str:
    """The name without what a platform put before it."""
    found = owner_by_prefix(name)
    return found[1] if found and found[1] else name


def clean_stem(name: str) -> str:
    """A file's name without its ending and without the marks of a copy of it."""
    stem = re.sub(r"\.(?:ipynb|py|zip)$", "", name[: 3 * LONGEST], flags=re.I)
    return printable(COPIED.sub("", stem).strip() or stem)


def plain(name: str) -> str:
    """The name as it is compared: small letters and digits, the rest underscores."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def printable(name: str, longest: int = LONGEST) -> str:
    """The name on one short line that any terminal or file can hold; never empty."""
    line = one_line(unicodedata.normalize("NFC", name[: 3 * longest]))
    return line[:longest].strip() or "unnamed"


def safe_name(submission: str) -> str:
    """A file's name for a submission, without ending; another for each submission."""
    name = re.sub(r"[^\w.-]", "_", submission).strip(".")
    name = name.encode()[:LONGEST_BYTES].decode(errors="ignore")
    if name == submission and name[:1] not in ("", "-") and not RESERVED.match(name):
        return name
    mark = sha256(submission.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{name.lstrip('-') or '_'}-{mark}"


class Unique:
    """Gives names that were not given before, whatever their capitals."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def __call__(self, *wanted: str) -> str:
        """The first wanted name that is free, or the last with a number."""
        for name in wanted:
            if self._take(name):
                return name
        number = 2
        while not self._take(name := f"{wanted[-1]} ({number})"):
            number += 1
        return name

    def _take(self, name: str) -> bool:
        free = name.casefold() not in self.taken
        self.taken.add(name.casefold())
        return free
