"""What a set of eval cases came to, as text and as HTML."""

from dataclasses import fields
from typing import Any

from labkit.agent import EvalReport
from labkit.checking.evidence import Evidence
from labkit.display.endings import ending
from labkit.display.face import Face, rendered
from labkit.display.report import visible

LONG = 50
LONGEST_LIST = 10
FIELDS = {field.name for field in fields(EvalReport)}


def evaluated(
    cases: list[dict[str, Any]], seen: Evidence, threshold: float, notes: list[str]
) -> Face:
    """What a learner's `evaluate` made of the cases, or why it made nothing."""
    lines = [f"note: {note}" for note in notes]
    report = seen.returned
    if not isinstance(report, dict):
        return _told([*lines, f"evaluate {ending(seen)}"])
    if missing := sorted(FIELDS - report.keys()):
        return _told([*lines, f"what evaluate gave back has no {', '.join(missing)}"])
    return eval_table(cases, report, threshold, notes)


def _told(lines: list[str]) -> Face:
    text = "\n".join(lines)
    return Face(text, rendered("code.html", title="", code=text))


def eval_table(
    cases: list[dict[str, Any]],
    report: dict[str, Any],
    threshold: float,
    notes: list[str] | None = None,
) -> Face:
    """Each case with what speaks against it; the stops; the rate and the exit code.

    `report` holds the fields of an EvalReport. Of many cases only the lost are listed.
    `notes` stand above them.
    """
    failures, stops = report["failures"], report["stops"]
    rows = [(case["id"], reasons_of(failures.get(case["id"]))) for case in cases]
    if len(rows) > LONG:
        rows = [(id, reasons) for id, reasons in rows if reasons]
    lines = [f"note: {note}" for note in notes or []]
    for id, reasons in rows:
        lines.append(f"{'✗' if reasons else '✓'} {id}")
        lines += [f"  {visible(reason)}" for reason in reasons]
    lines.append(rate_line(report, threshold))
    for stop, questions in stops.items():
        lines.append(f"stopped by {stop}: {len(questions)}")
        lines += [f"  {visible(question)}" for question in questions[:LONGEST_LIST]]
        if (more := len(questions) - LONGEST_LIST) > 0:
            lines.append(f"  … and {more} more questions")
    html = rendered(
        "evals.html",
        notes=notes or [],
        rows=rows,
        stops=stops,
        rate=rate_line(report, threshold),
        visible=visible,
    )
    return Face("\n".join(lines), html)


def rate_line(report: dict[str, Any], threshold: float) -> str:
    """How many passed, the rate they make, and what the exit code is."""
    return (
        f"{report['passed']} of {report['total']} cases passed, rate "
        f"{report['pass_rate']:.2f}, threshold {threshold:.2f}: "
        f"exit code {report['exit_code']}"
    )


def reasons_of(kept: Any) -> list[str]:
    """The reasons kept for one case, whether as a list or as one text."""
    if not kept:
        return []
    return [str(reason) for reason in kept] if isinstance(kept, list) else [str(kept)]
