"""Gradescope: a `results.json` for each student, field by field as it reads them."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from labkit.checking.report import LAB_FAULTS, CheckResult, Report
from labkit.display.class_report import names_of
from labkit.display.report import check_lines, notes, one_line, summary
from labkit.grading.results import Line, Results, chosen, report_of
from labkit.whole_file import keep_only, write_whole


def write(results: Results) -> list[str]:
    """Write `gradescope/STUDENT.json` for each student; what was written, as lines.

    A student with a line that the lab failed on gets no file: no score is better than
    a wrong one.
    """
    folder = results.out / "gradescope"
    written, left = [], []
    for student, entries in results.students.items():
        best = chosen(entries).values()
        if any(entry.set_aside for entry in best):
            left.append(student)
            continue
        told = json.dumps(gradescope(results.read(best), results.points), indent=1)
        written.append(f"{results.file_names[student]}.json")
        write_whole(folder / written[-1], f"{told}\n")
    keep_only(folder, written or ["none.json"])
    said = [f"gradescope/: {len(written)} files"]
    if left:
        said.append(f"gradescope/: none for {names_of(left)}, whose grading failed")
    return said


def gradescope(lines: Iterable[Line], points: dict[str, float]) -> dict[str, Any]:
    """One student's `results.json`, of one line for each lesson.

    `points` are those of each lesson, for what could not be results.
    """
    lines = list(lines)
    reports = [report_of(line) for line in lines]
    tests = [test for report in reports for test in _tests(report, points)]
    return {
        "execution_time": round(sum(report.seconds for report in reports), 3),
        "output": "\n".join(text for report in reports for text in _above(report)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "lab_version": sorted({line["lab_version"] for line in lines}),
            "tier": sorted({str(line["grading"]["tier"]) for line in lines}),
        },
        "tests": tests,
    }


def _above(report: Report) -> Iterator[str]:
    """What stands above the tests: the sum, and the notes."""
    yield one_line(summary(report, timed=False))
    yield from (f"note: {one_line(note)}" for note in notes(report))


def _tests(report: Report, points: dict[str, float]) -> Iterator[dict[str, Any]]:
    if not report.checks:
        why = "\n".join(map(one_line, report.notes)) or report.status
        possible = points.get(report.lesson, 0)
        fields = {"score": 0, "max_score": possible, "status": "failed"}
        name = f"{report.lesson} can be graded"
        yield {**fields, "name": name, "output": why, "tags": [report.lesson]}
    lesson = int("".join(re.findall(r"lesson_(\d+)", report.lesson)) or 0)
    for number, check in enumerate(report.checks, 1):
        yield _test(report, check) | {"number": f"{lesson}.{number}"}


def _test(report: Report, check: CheckResult) -> dict[str, Any]:
    """One check as a test. The lab's own fault counts in full until it is mended.

    An assignment's total is fixed there, so anything less would cost a point.
    """
    faulty = check.outcome in LAB_FAULTS
    score = check.max_points if check.passed or faulty else 0
    claim, *rest = check_lines(check)
    told = rest if check.outcome in ("passed", "failed") else [claim, *rest]
    test = {
        "score": score,
        "max_score": check.max_points,
        "name": one_line(check.claim),
        "name_format": "text",
        "output": "\n".join(told),
        "output_format": "text",
        "tags": [report.lesson, check.part],
        "visibility": "visible",
        "extra_data": {"check": check.id, "outcome": check.outcome},
    }
    return test if faulty else test | {"status": "passed" if check.passed else "failed"}
