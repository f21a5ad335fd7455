"""What the evidence adds to a card: a right conversation beside, a friendly word."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from labkit.checking.check import Check, Checker
from labkit.checking.evidence import Evidence
from labkit.checking.report import CheckResult, Report
from labkit.checking.scenario import FunctionCall, Hook, Scenario
from labkit.display.beside import beside
from labkit.display.face import Face, is_text_only
from labkit.watched import right_run

# A card is there within one second. What judging has left of this may be spent here;
# one right run, some hundredths of a second, always fits.
SECONDS = 0.7
LARGEST = 100_000
PRINTED_NOT_RETURNED = (
    "{part} printed something and gave back None: print shows a text to people, return "
    "hands a value on to the code that called."
)


@dataclass(frozen=True)
class Findings:
    """What a card says beyond the verdicts.

    `beside` belongs to the check with the id `about`; `slip` is a sentence, or "".
    """

    about: str = ""
    beside: Face | None = None
    slip: str = ""


def findings(
    checker: Checker, report: Report, evidence: dict[int, Evidence], seed: int
) -> Findings:
    """What the evidence, by its scenario's `id()`, tells about the first failures."""
    give_up = time.perf_counter() + SECONDS - report.seconds
    checks = {check.id: check for check in checker.checks}
    red = [checks[result.id] for result in report.checks if is_red(result)]
    slip = next((s for check in red[:1] for s in _slips(check, evidence)), "")
    try:
        about, found = _beside(red, evidence, seed, give_up)
    except Exception:  # a card is shown, whatever cannot be drawn on it
        about, found = "", None
    return Findings(about, found, slip)


def is_red(result: CheckResult) -> bool:
    """Whether a verdict is about code that ran and did not do what it should."""
    return result.outcome not in ("passed", "skipped", "not_started", "broken")


def _beside(
    red: list[Check], evidence: dict[int, Evidence], seed: int, give_up: float
) -> tuple[str, Face | None]:
    """The first red check with a conversation, and that beside a right one.

    Its scenarios are gone through until one differs, or until time is up; first those
    that fail the check when they are judged alone.
    """
    for check in red if not is_text_only() else ():
        talks = [(s, seen) for s, seen in _seen(check, evidence) if seen.requests]
        talks.sort(key=lambda talk: not _fails_alone(check, talk[1]))
        for scenario, seen in talks:
            found = beside(seen, right_run(scenario, seed))
            if found and len(found.html) <= LARGEST:
                return check.id, found
            if time.perf_counter() > give_up:
                return "", None
        if talks:
            return "", None
    return "", None


def _fails_alone(check: Check, seen: Evidence) -> bool:
    """Whether this run by itself is found wanting; many checks judge run by run."""
    try:
        return check.judge(seen) is not None
    except Exception:  # it wants all its runs at once
        return False


def _slips(check: Check, evidence: dict[int, Evidence]) -> Iterator[str]:
    """A word on a value that was printed where it should have been returned."""
    for scenario, seen in _seen(check, evidence):
        called = isinstance(scenario, FunctionCall | Hook)
        ended = not (seen.raised or seen.stopped)
        if called and ended and seen.returned is None and seen.printed.strip():
            yield PRINTED_NOT_RETURNED.format(part=check.part)


def _seen(
    check: Check, evidence: dict[int, Evidence]
) -> Iterator[tuple[Scenario, Evidence]]:
    for scenario in check.scenarios:
        if id(scenario) in evidence:
            yield scenario, evidence[id(scenario)]
