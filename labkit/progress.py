"""What has passed so far: `.labkit/progress/`, one file for each lesson.

A file names the checks that pass now and those that ever passed: after an experiment or
a fresh notebook the first go back, and nobody loses the second. It is a note about the
learner's work and never in its place: without it, nothing but the count is gone.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labkit.assembly.saved import nearest
from labkit.checking.report import LAB_FAULTS
from labkit.lab import lessons
from labkit.whole_file import set_aside, write_whole

if TYPE_CHECKING:
    from labkit.checking.check import Check
    from labkit.checking.report import Report

SCHEMA = 1


@dataclass
class Passed:
    """Ids of a lesson's checks: those that pass now, and those that ever passed.

    `is_readable` is False if there is a file that cannot be read.
    """

    now: set[str] = field(default_factory=set)
    ever: set[str] = field(default_factory=set)
    is_readable: bool = True


@dataclass
class LessonProgress:
    """How far a lesson has come: its checks, and what passed of them."""

    lesson: str
    checks: "list[Check]"
    passed: Passed

    @property
    def passing(self) -> int:
        """How many of the checks pass now."""
        return sum(check.id in self.passed.now for check in self.checks)

    @property
    def parts(self) -> dict[str, bool]:
        """The lesson's parts in their order, and whether all checks of it pass now."""
        found: dict[str, bool] = {}
        for check in self.checks:
            holds = check.id in self.passed.now
            found[check.part] = found.get(check.part, True) and holds
        return found

    @property
    def next_part(self) -> str | None:
        """The first part that does not pass now; None if all do."""
        return next((part for part, passes in self.parts.items() if not passes), None)


def progress(here: Path | None) -> list[LessonProgress]:
    """How far each lesson has come in a folder; with None as if nothing was done."""
    from labkit.checking.check import load_checker

    return [
        LessonProgress(
            lesson,
            load_checker(lesson).checks,
            _read(_file(lesson, here)) if here else Passed(),
        )
        for lesson in lessons()
    ]


def keep_progress(report: "Report", here: Path) -> list[str]:
    """Note which checks pass; a sentence if that could not be done.

    Only for the notebooks' own shop, seed 0. A verdict that the lab itself spoilt says
    nothing, and neither does a submission that defines nothing.
    """
    if report.seed != 0 or report.status != "graded":
        return []
    judged = {c.id: c.passed for c in report.checks if c.outcome not in LAB_FAULTS}
    passing = {id for id, passed in judged.items() if passed}
    try:
        path = _file(report.lesson, here)
        known = _read(path)
        now = known.now - judged.keys() | passing
        _write(path, report.lesson, Passed(now, known.ever | now, known.is_readable))
    except OSError as error:
        return [f"your progress could not be kept ({error})"]
    return []


def begin_again(lesson: str, here: Path) -> None:
    """Note that nothing of a lesson passes now; what ever passed stays noted."""
    path = _file(lesson, here)
    known = _read(path)
    if known.now:
        _write(path, lesson, Passed(set(), known.ever))


def _file(lesson: str, here: Path) -> Path:
    return nearest(here) / "progress" / f"{lesson}.json"


def _write(path: Path, lesson: str, passed: Passed) -> None:
    """Write a lesson's file; one that could not be read is put aside, not lost."""
    if not passed.is_readable:
        set_aside(path, "unread")
    fields = {"now": sorted(passed.now), "ever": sorted(passed.ever)}
    text = json.dumps({"schema": SCHEMA, "lesson": lesson, **fields}, indent=1)
    write_whole(path, text)


def _read(path: Path) -> Passed:
    """What a file says; damage, or a newer lab's file, says nothing."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["schema"] == SCHEMA and kept["lesson"] == path.stem:
            return Passed(_ids(kept["now"]), _ids(kept["ever"]))
    except FileNotFoundError:
        return Passed()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return Passed(is_readable=False)


def _ids(value: Any) -> set[str]:
    if not isinstance(value, list) or not all(isinstance(id, str) for id in value):
        raise TypeError
    return set(value)
