"""Two tools that read a folder and never leave it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from typing import Any

from labkit.faults import Answer, Fault, shown, tells_faults

SAMPLE = Path(__file__).parent / "sample"
MOST_CHARS = 8_000
HIDDEN = "__pycache__"


class Workspace:
    """The files below `root`, and nothing else.

    Raises NotADirectoryError at once if there is no such folder.
    """

    def __init__(self, root: Path = SAMPLE) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise NotADirectoryError(f"the workspace {root} is not a folder")

    @tells_faults
    def list_dir(self, path: str = ".") -> Answer:
        """The names directly inside a folder, sorted, folders with a trailing slash."""
        with _telling_about(path):
            folder = self._existing(path)
            if not folder.is_dir():
                raise Fault(f"{shown(path)} is not a folder; read_file reads a file")
            seen = (child for child in folder.iterdir() if child.name != HIDDEN)
            entries = sorted(self._entry(child) for child in seen)
        return {"path": self._name(folder), "entries": entries}

    @tells_faults
    def read_file(self, path: str) -> Answer:
        """The first 8,000 characters of a text file, and whether there are more."""
        with _telling_about(path):
            file = self._existing(path)
            if file.is_dir():
                raise Fault(f"{shown(path)} is a folder; list_dir shows what is in it")
            if not file.is_file():  # to open a pipe is to wait for its other end
                raise Fault(f"{shown(path)} is not a regular file, so it has no text")
            text = _beginning(file)
        return {
            "path": self._name(file),
            "text": text[:MOST_CHARS],
            "truncated": len(text) > MOST_CHARS,
        }

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The two tools by name."""
        return {"list_dir": self.list_dir, "read_file": self.read_file}

    def _existing(self, path: object) -> Path:
        """What `path` really leads to, links followed; a Fault unless it is inside."""
        if not isinstance(path, str):
            raise Fault(f"path must be text such as 'docs/index.md', not {shown(path)}")
        # Judged the same on every system: a drive is no file name on Linux either.
        foreign = "\\" in path or path.startswith("~") or PureWindowsPath(path).anchor
        found = (self.root / path).resolve()
        if foreign or not found.is_relative_to(self.root):
            raise Fault(
                f"{shown(path)} is outside the workspace; a path is relative to its "
                "root, with / between names"
            )
        if not found.exists():
            folder = next(parent for parent in found.parents if parent.is_dir())
            raise Fault(
                f"there is no {shown(path)}; call list_dir on "
                f"{shown(self._name(folder))} to see what there is"
            )
        return found

    def _name(self, found: Path) -> str:
        """The path by which the model may cite it: relative, and the same anywhere."""
        return found.relative_to(self.root).as_posix()

    def _entry(self, child: Path) -> str:
        """The child's name; only a folder that may be listed gets the slash."""
        inside = child.is_dir() and child.resolve().is_relative_to(self.root)
        return f"{child.name}/" if inside else child.name


def _beginning(file: Path) -> str:
    """One character more than is shown, so that the caller can tell."""
    with file.open(encoding="utf-8", newline="") as text:
        return text.read(MOST_CHARS + 1)


@contextmanager
def _telling_about(path: object) -> Iterator[None]:
    """Turn what the file system raises about `path` into a Fault."""
    try:
        yield
    except UnicodeDecodeError:
        raise Fault(f"{shown(path)} is not UTF-8 text; read another file") from None
    except (OSError, RuntimeError, ValueError):
        # no permission, a name too long, a NUL in it, links that go in a circle
        raise Fault(
            f"{shown(path)} cannot be opened; use a path that list_dir shows"
        ) from None
