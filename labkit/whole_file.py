"""Files that are there whole or not at all, and files that make room for others."""

import os
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
    # Of several processes that write it at once, each has its own unfinished file.
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open(
            "w", encoding="utf-8", errors="backslashreplace", newline=""
        ) as file:
            yield file
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all."""
    with whole_file(path) as file:
        file.write(text)


def set_aside(path: Path, word: str) -> Path:
    """Move a file to a free name beside it, such as `name (kept 1).ipynb`."""
    aside = reserved(path, word)
    try:
        return path.replace(aside)
    except OSError:
        aside.unlink()
        raise


def reserved(path: Path, word: str) -> Path:
    """An empty file of a free name beside a file; nobody else takes that name."""
    number = 0
    while True:
        number += 1
        free = path.with_name(f"{path.stem} ({word} {number}){path.suffix}")
        with suppress(FileExistsError):
            free.open("x").close()
            return free


def keep_only(folder: Path, names: Iterable[str]) -> None:
    """Remove the files of an earlier batch: those of the same kind, but not named."""
    kept = {folder / name for name in names}
    for kind in {path.suffix for path in kept}:
        for path in set(folder.glob(f"*{kind}")) - kept:
            path.unlink()
