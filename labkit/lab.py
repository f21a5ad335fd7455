"""Where the lab's data lies: beside labkit in a clone, inside it in a wheel."""

import difflib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from labkit.errors import LabError


class NoRecordings(LabError):
    """Where strangers' code runs, the lab's recordings are put away."""


@cache
def lab_folder() -> Path:
    """The folder that holds `checkers/` and `recordings/`."""
    package = Path(__file__).parent
    inside = package / "_lab"
    return inside if inside.is_dir() else package.parent


def lessons() -> list[str]:
    """The stems of all lessons that have a checker, in their order."""
    return sorted(path.stem for path in (lab_folder() / "checkers").glob("lesson_*.py"))


def checker_file(lesson: str) -> Path:
    """The checker of a lesson; LabError if there is no such lesson."""
    if lesson not in lessons():
        raise LabError(unknown("lesson", lesson, lessons()))
    return lab_folder() / "checkers" / f"{lesson}.py"


def recording_files() -> Iterator[Path]:
    """Every recording, in the lessons' order."""
    yield from sorted((lab_folder() / "recordings").glob("*/*.jsonl"))


def recording_file(name: str) -> Path:
    """The recording of that name, its file's stem; LabError if there is none."""
    files = {path.stem: path for path in recording_files()}
    if not files:
        raise NoRecordings(f"No recordings under {lab_folder()}; install labkit again.")
    if name not in files:
        raise LabError(unknown("recording", name, list(files)))
    return files[name]


def unknown(kind: str, name: str, known: list[str]) -> str:
    """The sentence for a name there is not: the nearest one, or all there are."""
    close = difflib.get_close_matches(name, known, n=1)
    mend = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}."
    return f"There is no {kind} {name!r}; {mend}"
