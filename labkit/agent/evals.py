"""Evals: is the answer right, and does the rate hold the door?"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from labkit.agent.result import Result

# Of thousands: comma, apostrophe, and the spaces that do not break a line.
SEPARATORS = ",'\u00a0\u2009\u202f"
NUMBER = re.compile(
    rf"""
    ((?<!\w)[-\u2212])?     # a minus, which the dash of "5-10" is not
    (?<![A-Za-z]-)          # no figures of an id such as NW-1041
    (?<![\d.])              # no rest of a number, nor of a version such as 2.16.0
    (
        (?: \d{{1,3}}(?:[{SEPARATORS}]\d{{3}})+ | \d+ ) (?:\.\d+)? (?:[eE][+-]?\d+)?
        | \.\d+
    )
    (?!\d|\.\d)             # and no beginning of one; but a point may end a sentence
    """,
    re.VERBOSE,
)


@dataclass
class EvalReport:
    """What a set of cases came to; nothing has passed until it says so.

    `failures` is case id → reasons, `stops` stop reason → questions, `exit_code` 0 if
    the pass rate (0 to 1) is at the threshold or above it, otherwise 1.
    """

    passed: int = 0
    total: int = 0
    pass_rate: float = 0.0
    failures: dict[str, list[str]] = field(default_factory=dict)
    stops: dict[str, list[str]] = field(default_factory=dict)
    exit_code: int = 1

    def add(self, case: dict[str, Any], reasons: list[str], stop: str | None) -> None:
        """Count one case that was run, the reasons against it and why it stopped."""
        self.total += 1
        self.passed += not reasons
        if reasons:
            self.failures.setdefault(case["id"], []).extend(reasons)
        self.stops.setdefault(str(stop), []).append(case["question"])


def numbers_in(text: str) -> list[float]:
    """The numbers in a text, in order: "640." is 640.0 and "1,234.50" is 1234.5."""
    return [
        float(("-" if sign else "") + re.sub(f"[{SEPARATORS}]", "", digits))
        for sign, digits in NUMBER.findall(text)
    ]


def tools_that_ran(result: Result) -> set[str]:
    """The names of the tools that did their work in a run.

    A call that came back as an error, because it was refused or failed, did not.
    """
    calls = result.tool_calls
    return {call["name"] for call in calls if not _is_error(call.get("result"))}


def _is_error(outcome: Any) -> bool:
    """Whether an outcome, as text or as data, is `{"error": …}`."""
    if isinstance(outcome, dict):
        return "error" in outcome
    return re.match(r'\s*\{\s*"error"', str(outcome)) is not None


def score(case: dict[str, Any], result: Result) -> list[str]:
    """Every reason against the result of a case; none means that it passed.

    An answer has to end the run, in at most `max_steps` steps; each of `tools` has to
    have run, others may; each of `numbers` has to be in the answer, both rounded to
    two places.
    """
    reasons = []
    if result.stopped_by not in ("answered", "finished"):
        reasons.append(f"stopped by {result.stopped_by}")
    if result.steps > case.get("max_steps", result.steps):
        reasons.append(f"{result.steps} steps, allowed are {case['max_steps']}")
    for tool in case.get("tools", []):
        if tool not in tools_that_ran(result):
            reasons.append(f"{tool} did not run")
    said = {round(number, 2) for number in numbers_in(result.answer)}
    for number in case.get("numbers", []):
        if round(number, 2) not in said:
            reasons.append(f"{number} is not in the answer: {result.answer}")
    return reasons


def evaluate(
    run: Callable[[dict[str, Any]], Result],
    cases: Iterable[dict[str, Any]],
    threshold: float,
) -> EvalReport:
    """The report on every case; its exit code is 0 at the threshold and above.

    A run that raises fails its case and no other. Raises ValueError if there are no
    cases: what nobody tried has not passed.
    """
    report = EvalReport()
    for case in cases:
        try:
            result = run(case)
            reasons, stop = score(case, result), result.stopped_by
        except Exception as error:
            reasons, stop = [f"raised {type(error).__name__}: {error}"], "raised"
        report.add(case, reasons, stop)
    if not report.total:
        raise ValueError("there are no cases, so nothing has passed")
    report.pass_rate = report.passed / report.total
    report.exit_code = 0 if report.pass_rate >= threshold else 1
    return report
