"""A line of results.jsonl: a report, and under "grading" whose it is and how."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from labkit.checking.check import Checker
from labkit.checking.report import CheckResult, Report

if TYPE_CHECKING:
    from labkit.grading.handed_in import HandedIn


def ungraded(checker: Checker, status: str, why: str, seed: int) -> Report:
    """A report on what was not run: "not_gradable", "missing" or "internal".

    The lab's own fault costs no point: its checks do not count.
    """
    outcome = "internal" if status == "internal" else "not_started"
    checks = [
        CheckResult(check.id, check.part, check.claim, outcome, check.points)
        for check in checker.checks
    ]
    notes = [why] if why else []
    return Report(checker.lesson, "", seed, status, notes=notes, checks=checks)


def record_of(
    report: dict[str, Any], handed_in: "HandedIn", grading: dict[str, Any]
) -> dict[str, Any]:
    """The line for one student, of a report that says nothing of whose it is."""
    own = {
        "student": handed_in.student,
        "path": handed_in.path,
        "sha256": handed_in.sha256,
    }
    return report | {"submission": handed_in.submission, "grading": own | grading}


def graded_as(record: dict[str, Any], handed_in: "HandedIn") -> dict[str, Any]:
    """The same line for somebody who handed in the same file."""
    same_as = record["grading"]["same_as"] or record["submission"]
    if same_as == handed_in.submission:
        return record
    return record_of(record, handed_in, _rest(record) | {"same_as": same_as})


def _rest(record: dict[str, Any]) -> dict[str, Any]:
    """What "grading" holds beside whose it is."""
    own = ("student", "path", "sha256")
    return {key: value for key, value in record["grading"].items() if key not in own}


def all_passed(record: dict[str, Any]) -> bool:
    """Whether a line is one of a submission that passed every check."""
    outcomes = {check["outcome"] for check in record["checks"]}
    return record["status"] == "graded" and outcomes == {"passed"}


def labs_fault(record: dict[str, Any]) -> bool:
    """Whether something in a line is the lab's fault, not the learner's."""
    outcomes = {check["outcome"] for check in record["checks"]}
    return record["status"] == "internal" or bool(outcomes & {"broken", "internal"})


def now() -> str:
    """The time, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
