"""An outcome that the machine's load may have caused is tried again, once and alone."""

from dataclasses import replace
from typing import Any

from labkit.grading.grader import Graded
from labkit.grading.plan import Task


def first_event(task: Task, graded: Graded) -> dict[str, Any]:
    """The journal's line for an uncertain first run."""
    fields = ("report", "tier", "started", "ended")
    run = {name: getattr(graded, name) for name in fields}
    return {"event": "first", "key": task.key, "run": run}


def second_run(first: dict[str, Any], second: Graded) -> tuple[Graded, bool]:
    """Which of two runs counts, and whether they differ; its notes then say how.

    The better one counts, of two as good ones the second, that ran alone: no learner
    pays for a busy machine.
    """
    before, after = first["report"], second.report
    changed = _changes(before, after)
    if not changed:
        return Graded(**first), False
    note = f"run twice, the second time alone, and the better one counts: {changed}."
    if _worth(after) >= _worth(before):
        return replace(second, report=_noted(after, note)), True
    return Graded(**first | {"report": _noted(before, note)}), True


def _changes(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Which checks ended otherwise, and how, in one line."""
    pairs = zip(_outcomes(before), _outcomes(after))
    return ", ".join(
        f"{check} {one}, then {other}"
        for (check, one), (_, other) in pairs
        if one != other
    )


def _outcomes(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(check["id"], check["outcome"]) for check in report["checks"]]


def _worth(report: dict[str, Any]) -> tuple[bool, int]:
    """A report of what ran is worth more than one of the lab's fault."""
    return report["status"] != "internal", report["score"]


def _noted(report: dict[str, Any], note: str) -> dict[str, Any]:
    return report | {"notes": [*report["notes"], note]}
