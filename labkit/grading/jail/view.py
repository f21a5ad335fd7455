"""What confined code may see of the files of this machine."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from labkit.lab import lab_folder

LAB_DATA = ("checkers", "notebooks", "recordings", "tests")
SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
# A folder of every Linux that holds no program; a file system of its own goes there.
SCRATCH = Path("/dev/shm")


@dataclass
class View:
    """What confined code may read, what it may only list, and what is put away.

    `threads` is how many its user may have.
    """

    namespaces: bool
    threads: int
    readable: list[Path] = field(default_factory=list)
    listed: list[Path] = field(default_factory=list)
    devices: list[Path] = field(default_factory=list)
    hidden: list[Path] = field(default_factory=list)

    def open(self, roots: Iterable[Path]) -> None:
        """Let it read these, but never the lab's data: checks, recordings, lessons."""
        places = (lab_folder().resolve() / name for name in LAB_DATA)
        self.hidden = [place for place in places if place.is_dir()]
        self.devices = [path for path in map(Path, DEVICES) if path.exists()]
        for root in roots:
            self._open(root)

    def _open(self, path: Path) -> None:
        if path in self.hidden or path.is_symlink():
            return
        if not any(path in shut.parents for shut in self.hidden):
            self.readable.append(path)
            return
        self.listed.append(path)  # or Python would not find what it may read in it
        for inside in sorted(path.iterdir()):
            self._open(inside)


def python_paths() -> list[Path]:
    """Wherever Python, its libraries and labkit's code are, as they are named."""
    package = Path(__file__).parents[2]
    names = (*SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path)
    found = {path for path in map(Path, names) if path.is_absolute() and path.exists()}
    checkout = package.parent  # where its history and the lab's data lie too
    beside = {checkout} if (checkout / "pyproject.toml").exists() else set()
    return sorted(found - beside | {package})


def outermost(paths: Iterable[Path]) -> list[Path]:
    """These paths without those that lie inside another."""
    known = set(paths)
    return sorted(path for path in known if not known.intersection(path.parents))
