"""From checks and a place to run the learner's code to a report."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from labkit.checking import ending
from labkit.checking.check import Check, Checker, Failure, line_in
from labkit.checking.evidence import Evidence
from labkit.checking.place import Arrival, Place
from labkit.checking.report import CheckResult, Report
from labkit.checking.scenario import Scenario, Value
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.lab import lab_folder
from labkit.replay.recording import Recording

Find = Callable[[str, int], Recording]  # a recording by its name, for a seed
Keep = Callable[[Arrival, dict[int, Evidence]], object]


def judge(
    checker: Checker,
    place: Place,
    submission: str,
    seed: int = 0,
    *,
    find: Find | None = None,
    keep: Keep | None = None,
) -> Report:
    """Judge one submission, running each scenario once and only if a check needs it.

    `find` looks recordings up where many submissions share them. `keep` is handed what
    the verdicts rest on: the arrival, and the evidence by its scenario's `id()`.
    """
    started = time.perf_counter()
    report = Report(checker.lesson, submission, seed)
    try:
        arrival = place.arrive()
        report.notes = arrival.notes
        if arrival.missing and not (arrival.fault or arrival.stopped):
            _note_missing(report, arrival, checker)
        sitting = _Sitting(place, arrival, seed, find)
        for check in checker.checks:
            report.checks.append(sitting.verdict(check))
        report.printed = sitting.printed
        if keep:
            keep(arrival, sitting.evidence)
    finally:
        place.close()
    report.seconds = time.perf_counter() - started
    return report


def _note_missing(report: Report, arrival: Arrival, checker: Checker) -> None:
    """Say which names are not there; without any of them there is nothing to grade."""
    for name, close in arrival.missing.items():
        instead = f" (it has {close})" if close else ""
        report.notes.append(
            f"{report.submission} does not define {name}{instead}; "
            f"{checker.lesson} is checked by that name."
        )
    if set(checker.parts) <= arrival.unwritten.keys():
        report.status = "not_gradable"


@dataclass
class _Sitting:
    """The judging of one submission: evidence so far and verdicts so far."""

    place: Place
    arrival: Arrival
    seed: int
    find: Find | None = None
    evidence: dict[int, Evidence] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    slow: set[str] = field(default_factory=set)  # a part that hangs is tried once

    @property
    def printed(self) -> str:
        return "".join(seen.printed for seen in self.evidence.values())

    def verdict(self, check: Check) -> CheckResult:
        """The verdict on one check, the ones it waits for having been judged before."""
        started = time.perf_counter()
        result = CheckResult(check.id, check.part, check.claim, "", check.points)
        try:
            self._judge(check, result)
        except LabError as error:
            result.outcome, result.seen = "broken", str(error)
        self.outcomes[check.id] = result.outcome
        result.seconds = round(time.perf_counter() - started, 6)
        return result

    def _judge(self, check: Check, result: CheckResult) -> None:
        waits = next((c for c in check.after if not self._settled(c)), None)
        if waits:
            result.outcome, result.after = "skipped", waits.id
        elif stopped := self.arrival.stopped:
            seen = ending.stopped(stopped, self.arrival.where)
            _set(result, stopped, f"{seen} (while loading your file)")
        elif check.part in self.slow:
            _set(result, "timeout", ending.STOPPED["timeout"])
        elif why := self.arrival.unwritten.get(check.part):
            self._set_unwritten(result, why)
        else:
            _judge_evidence(check, self._all_seen(check), result)

    def _settled(self, check: Check) -> bool:
        """Whether what waits for a check may be judged; the lab's fault hides none."""
        return self.outcomes[check.id] in ("passed", "broken")

    def _set_unwritten(self, result: CheckResult, why: str) -> None:
        """Not started; but an error if a fault while loading is why it is not there."""
        fault = self.arrival.fault
        if fault and self.arrival.missing:
            _set_raised(result, fault)
        else:
            result.outcome, result.seen = "not_started", why

    def _all_seen(self, check: Check) -> list[Evidence]:
        """The evidence of a check's scenarios, as far as it goes without a time-out."""
        seen: list[Evidence] = []
        for scenario in check.scenarios:
            seen.append(self._seen(scenario))
            if check.part in self.slow:
                break
        return seen

    def _seen(self, scenario: Scenario) -> Evidence:
        if id(scenario) not in self.evidence:
            self.evidence[id(scenario)] = self.place.perform(self._world(scenario))
        seen = self.evidence[id(scenario)]
        if seen.stopped == "timeout":
            self.slow.add(scenario.part)
        return seen

    def _world(self, scenario: Scenario) -> World:
        name = "" if isinstance(scenario, Value) else scenario.recording
        recording = self.find(name, self.seed) if self.find and name else None
        return World(scenario, self.seed, recording)


def _judge_evidence(check: Check, seen: list[Evidence], result: CheckResult) -> None:
    for scenario, evidence in zip(check.scenarios, seen):
        if evidence.stopped == "runaway":
            return _set_failed(result, ending.runaway(evidence))
        if evidence.stopped:
            seen_ = ending.stopped(evidence.stopped, evidence.where)
            return _set(result, evidence.stopped, seen_)
        if evidence.not_started:
            called = evidence.not_started
            why = f"it calls the finished {called}; write its lines yourself"
            return _set(result, "not_started", why)
        # A refused request often ends in an exception; the check says what led to it.
        if evidence.raised and not check.raises and not evidence.refused:
            return _set_raised(result, evidence.raised, scenario.called)
    try:
        failure = check.judge(*seen)
    except Exception as error:
        return _set(result, "broken", _bug(check, error))
    if failure is None:
        result.outcome = "passed"
        return None
    return _set_failed(result, failure)


def _set(result: CheckResult, outcome: str, seen: str) -> None:
    result.outcome, result.seen = outcome, seen


def _set_failed(result: CheckResult, failure: Failure) -> None:
    result.outcome, result.seen = "failed", failure.seen
    result.expected, result.try_ = failure.expected, failure.try_


def _set_raised(result: CheckResult, raised: dict[str, str], called: str = "") -> None:
    """An error: where and which, and the call that led to it, if it was one call."""
    outcome = "memory" if raised["type"] == "MemoryError" else "error"
    where = f"{raised['line']}: " if raised["line"] else ""
    code = f" (in: {raised['code']})" if raised.get("code") else ""
    after = f"; the call was {called}" if called else ""
    _set(result, outcome, f"{where}{raised['type']}: {raised['message']}{code}{after}")


def _bug(check: Check, error: Exception) -> str:
    file = Path(check.judge.__code__.co_filename)
    name = file.relative_to(lab_folder()) if lab_folder() in file.parents else file
    where = f"{name}, line {line_in(file, error)}"
    return f"the check itself failed at {where} ({type(error).__name__}: {error})"
