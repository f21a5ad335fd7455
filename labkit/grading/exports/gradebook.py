"""Gradebooks: the CSV files of nbgrader and of otter-grader, by their headers."""

import csv
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labkit.checking.report import LAB_FAULTS
from labkit.display.report import one_line
from labkit.grading.results import Entry, Line, Results, chosen
from labkit.whole_file import whole_file

Row = list[str | float]

NBGRADER: Row = [
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
]
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(results: Results) -> list[str]:
    """Write `gradebook.csv` and an `otter/LESSON.csv` each; what was written."""
    out, points = results.out, results.points
    _write(out / "gradebook.csv", nbgrader(results, points))
    for lesson in results.lessons:
        _write(out / "otter" / f"{lesson}.csv", otter(results, lesson))
    left = sum(
        entry.set_aside
        for entries in results.students.values()
        for entry in chosen(entries).values()
    )
    without = f"; {left} left out, whose grading failed" if left else ""
    return [
        f"gradebook.csv: {len(results.students)} students, nbgrader's columns{without}",
        f"otter/: {len(results.lessons)} files, otter-grader's columns",
    ]


def nbgrader(results: Results, points: dict[str, float]) -> Iterator[Row]:
    """The rows of nbgrader's gradebook: one per lesson and student, missing ones too.

    A line on which the lab failed has no row, so that it is no zero.
    """
    yield NBGRADER
    for lesson in results.lessons:
        for student, entries in results.students.items():
            entry = chosen(entries).get(lesson)
            if entry is None or entry.status == "missing":
                yield _nbgrader_row(lesson, "", student, 0, points[lesson])
            elif not entry.set_aside:
                when = _time(entry.started)
                yield _nbgrader_row(lesson, when, student, entry.earned, entry.possible)


def _nbgrader_row(
    lesson: str, when: str, student: str, score: float, possible: float
) -> Row:
    who: Row = [lesson, "", when, inert(student), "", "", ""]
    return [*who, float(score), 0.0, float(score), float(possible)]


def otter(results: Results, lesson: str) -> Iterator[Row]:
    """The rows of otter's CSV for one lesson: its points, then one per submission."""
    entries = [entry for entry in results.entries if entry.lesson == lesson]
    questions = _questions(results.read(entries))
    ends = ["total_points_earned", "percent_correct", "grading_status"]
    yield ["file", *questions, *ends]
    yield ["points-per-question", *questions.values(), sum(questions.values()), 1, "--"]
    for entry, line in zip(entries, results.read(entries)):
        yield _otter_row(entry, line, questions)


def _otter_row(entry: Entry, line: Line, questions: dict[str, float]) -> Row:
    status = inert(one_line(_status(entry, line)))
    file = inert(line["submission"])
    if entry.set_aside:
        return [file, *[""] * len(questions), "", "", status]
    earned = {check["id"]: _points(check) for check in line["checks"]}
    rate = round(entry.earned / entry.possible, 4) if entry.possible else 0.0
    cells = [earned.get(id, 0.0) for id in questions]
    return [file, *cells, float(entry.earned), rate, status]


def _points(check: dict[str, Any]) -> str | float:
    """What a check earned; an empty cell where the lab could not judge it."""
    return "" if check["outcome"] in LAB_FAULTS else float(check["points"])


def _questions(lines: Iterable[Line]) -> dict[str, float]:
    """The points of each check that occurs in these lines, in their order."""
    return {
        check["id"]: float(check["max_points"])
        for line in lines
        for check in line["checks"]
    }


def _status(entry: Entry, line: Line) -> str:
    if entry.settled and entry.status == "graded":
        return "Completed"
    if entry.unjudged and not entry.set_aside:
        return "Some checks are broken; they are left out of the percentage."
    return "; ".join(line["notes"]) or entry.status


def inert(text: str) -> str:
    """The text as a cell that no spreadsheet or terminal takes for a command."""
    seen = CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
    return f"'{seen}" if seen.lstrip(" ").startswith(FORMULA) else seen


def _time(moment: str) -> str:
    """A moment as nbgrader writes it: in UTC, without saying so."""
    if not moment:
        return ""
    return str(datetime.fromisoformat(moment).astimezone(UTC).replace(tzinfo=None))


def _write(path: Path, rows: Iterable[Row]) -> None:
    with whole_file(path) as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
