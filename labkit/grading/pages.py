"""A page for each student: the verdicts, and the conversations behind them."""

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from labkit.checking.check import Checker
from labkit.checking.evidence import Evidence
from labkit.checking.report import Report
from labkit.checking.scenario import FunctionCall, Hook, Scenario
from labkit.display.conversation import drawn
from labkit.display.face import rendered
from labkit.display.report import as_html, visible
from labkit.grading.results import Entry, Line, Results, report_of
from labkit.grading.stored import scenarios_of
from labkit.redaction import without_keys
from labkit.whole_file import keep_only, write_whole

MOST_CONVERSATIONS = 5


@dataclass(frozen=True)
class Shown:
    """A conversation on a page: what was done, and how it went, as escaped HTML."""

    title: str
    html: Markup


def write(results: Results) -> list[str]:
    """Write `pages/STUDENT.html` for each student; what was written, as lines."""
    folder = results.out / "pages"
    for student, entries in results.students.items():
        text = page(results, student, entries)
        write_whole(folder / f"{results.file_names[student]}.html", text)
    keep_only(folder, (f"{name}.html" for name in results.file_names.values()))
    return [f"pages/: {len(results.students)} files, one per student"]


def page(results: Results, student: str, entries: list[Entry]) -> str:
    """All that was found of one student, as a page; everything in it is escaped."""
    sections = [_section(results, line) for line in results.read(entries)]
    return rendered("student.html", student=student, sections=sections, visible=visible)


def _section(results: Results, line: Line) -> dict[str, Any]:
    """One submission and lesson: its report, and the conversations worth a look."""
    report = report_of(line)
    return {
        "lesson": report.lesson,
        "path": line["grading"]["path"],
        "status": report.status,
        "flaky": line["grading"]["flaky"],
        "report": Markup(as_html(report)),
        "conversations": conversations(
            report,
            results.kept(line, "scenarios"),
            results.checkers.get(report.lesson),
        ),
    }


def conversations(
    report: Report, kept: list[dict[str, Any]], checker: Checker | None
) -> list[Shown]:
    """The conversations behind the first check of each part that did not pass.

    Where all passed, the longest one. `kept` is the stored evidence by scenario, and
    the checker says which check looks at which.
    """
    evidence = {entry["index"]: entry for entry in kept}
    known = dict(enumerate(scenarios_of(checker))) if checker else {}
    if evidence and all(check.passed for check in report.checks):
        wanted = [max(evidence, key=lambda n: len(evidence[n]["evidence"]["events"]))]
    else:
        behind = _behind_failures(report, checker) if checker else set()
        wanted = [n for n in evidence if n not in known or id(known[n]) in behind]
    return [
        Shown(
            _title(evidence[n], known.get(n)),
            _drawn(without_keys(evidence[n]["evidence"])),
        )
        for n in wanted[:MOST_CONVERSATIONS]
    ]


def _behind_failures(report: Report, checker: Checker) -> set[int]:
    """The `id()` of each scenario that a part's first failing check looks at."""
    failing: dict[str, str] = {}
    for check in report.checks:
        if not check.passed and check.outcome != "skipped":
            failing.setdefault(check.part, check.id)
    return {
        id(scenario)
        for check in checker.checks
        if check.id in failing.values()
        for scenario in check.scenarios
    }


def _title(kept: dict[str, Any], scenario: Scenario | None) -> str:
    """What was done: a call with its arguments, or an agent on a recording."""
    part, recording = kept["part"], kept["recording"]
    about = f" ({recording})" if recording else ""
    if isinstance(scenario, FunctionCall | Hook) and scenario.part == part:
        given = [json.dumps(value, default=str) for value in scenario.args]
        if isinstance(scenario, FunctionCall):
            given += [f"{k}={json.dumps(v)}" for k, v in scenario.kwargs.items()]
        return visible(f"{part}({', '.join(given)}){about}")
    return f"the agent answers {recording}" if recording else part


def _drawn(stored: dict[str, Any]) -> Markup:
    """The HTML of a conversation; a sentence where what was sent cannot be drawn.

    What a stranger's code put into a message is only seen here to be no message.
    """
    try:
        return Markup(drawn(Evidence(**stored)))
    except Exception as error:
        why = f"This conversation cannot be drawn ({type(error).__name__})."
        return Markup(rendered("code.html", title=why, code=""))
