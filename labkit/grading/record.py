"""A line of results.jsonl: a report, and under "grading" whose it is and how."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from labkit.checking.check import Checker
from labkit.checking.report import CheckResult, Report
from labkit.grading.redaction import holds_key, redacted

if TYPE_CHECKING:
    from labkit.grading.handed_in import HandedIn

ESCAPED = re.compile(r"\\(?:u[0-9a-f]{4}|.)")  # in JSON; a key may begin after one


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


def json_without_keys(value: Any) -> str:
    """A value as JSON, what looks like an API key taken out of whatever text it is in.

    Looked for in all of it at once, which is ten times as fast as in each text.
    """
    text = json.dumps(value)
    return json.dumps(each_text(value, redacted)) if _may_hold_key(text) else text


def without_keys(value: Any) -> Any:
    """A JSON value with what looks like an API key taken out."""
    return each_text(value, redacted) if _may_hold_key(json.dumps(value)) else value


def _may_hold_key(text: str) -> bool:
    return holds_key(ESCAPED.sub(" ", text.replace('\\"', '"')))


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value in which each text, keys included, is what `change` makes of it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {change(k): each_text(item, change) for k, item in value.items()}
    return value


def now() -> str:
    """The time, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
