"""Files that are there whole or not at all."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file to write to, moved into place when all of it is there.

    UTF-8, line ends as written; half a surrogate, which UTF-8 has no place for, is
    written as an escape. After an exception the file is as it was before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        with unfinished.open(
            "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            yield file
        unfinished.replace(path)
    finally:
        with suppress(FileNotFoundError):
            unfinished.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all."""
    with whole_file(path) as file:
        file.write(text)


def keep_only(folder: Path, names: Iterable[str]) -> None:
    """Remove the files of an earlier batch: those of the same kind, but not named."""
    kept = {folder / name for name in names}
    for kind in {path.suffix for path in kept}:
        for path in set(folder.glob(f"*{kind}")) - kept:
            path.unlink()
