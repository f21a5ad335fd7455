"""From evidence to verdicts: each outcome, and what a skipped check waits for."""

from collections.abc import Callable
from typing import Any

import pytest

from labkit.checking import Evidence, Failure, call, check, run
from labkit.checking.check import Check, Checker
from labkit.checking.judge import judge
from labkit.checking.place import Arrival
from labkit.checking.report import Report
from labkit.checking.world import World

ASK = run("at_once", part="step")
NOT_FOUND = run("no_such_recording", part="step")


class Told:
    """A place that says what the test told it to."""

    def __init__(self, seen: Evidence | None = None, **arrival: Any) -> None:
        self.seen = seen or Evidence([])
        self.arrival = Arrival(**arrival)
        self.runs = 0

    def arrive(self) -> Arrival:
        return self.arrival

    def perform(self, world: World) -> Evidence:
        self.runs += 1
        world.end()
        return self.seen

    def close(self) -> None:
        pass


def checker(*checks: Check) -> Checker:
    return Checker("lesson_x", list(checks), {"step": ["?"]})


def made(judge: Callable[..., Failure | None], **how: Any) -> Check:
    return check(ASK, **how)(judge)


def passes(seen: Evidence) -> Failure | None:
    """it passes"""
    return None


def fails(seen: Evidence) -> Failure | None:
    """it fails"""
    return Failure("three", "two", "count again")


def has_a_bug(seen: Evidence) -> Failure | None:
    """it has a bug"""
    raise KeyError("price")


def outcomes(report: Report) -> list[str]:
    return [result.outcome for result in report.checks]


def stopped(reason: str) -> Evidence:
    asked = {"event": "request", "added": [], "tools": []}
    events = [asked | {"number": 1}, asked | {"number": 2}]
    return Evidence([*events, {"event": "stopped", "reason": reason}])


def test_a_failure_is_kept_as_data() -> None:
    [result] = judge(checker(made(fails)), Told(), "ann").checks
    assert result.to_json() == {
        "id": "fails",
        "part": "step",
        "claim": "it fails",
        "outcome": "failed",
        "points": 0,
        "max_points": 1,
        "seen": "three",
        "expected": "two",
        "try": "count again",
        "after": None,
        "seconds": result.seconds,
    }


def test_a_check_waits_for_the_one_that_did_not_pass() -> None:
    first = made(fails)
    report = judge(checker(first, made(passes, after=first)), Told(), "ann")
    assert outcomes(report) == ["failed", "skipped"]
    assert report.checks[1].after == "fails"


def test_a_scenario_is_run_once_and_only_if_a_check_needs_it() -> None:
    first, place = made(fails), Told()
    other = check(run("at_once", part="step"), after=first)(passes)
    judge(checker(first, made(passes), other), place, "ann")
    assert place.runs == 1


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        (stopped("runaway"), "failed"),
        (stopped("timeout"), "timeout"),
        (stopped("output"), "output"),
        (stopped("crashed"), "crashed"),
        (stopped("tampered"), "tampered"),
        (Evidence([], not_started=True), "not_started"),
        (
            Evidence([], raised={"type": "KeyError", "message": "x", "line": "line 3"}),
            "error",
        ),
        (
            Evidence([], raised={"type": "MemoryError", "message": "", "line": ""}),
            "memory",
        ),
    ],
)
def test_what_ended_the_scenario_is_the_outcome_of_its_checks(
    seen: Evidence, outcome: str
) -> None:
    report = judge(checker(made(passes)), Told(seen), "ann")
    assert outcomes(report) == [outcome]
    assert report.exit_code == 1


def test_an_error_names_the_call_that_led_to_it() -> None:
    seen = Evidence([], raised={"type": "KeyError", "message": "x", "line": "line 3"})
    called = check(call("policy", {"amount": "40"}, limit=100))(passes)
    report = judge(checker(called, made(passes)), Told(seen), "ann")
    told, whole_run = (result.seen for result in report.checks)
    assert (
        told == "line 3: KeyError: x; the call was policy({'amount': '40'}, limit=100)"
    )
    assert whole_run == "line 3: KeyError: x"


def test_a_check_may_judge_what_was_raised() -> None:
    seen = Evidence([], raised={"type": "KeyError", "message": "", "line": ""})
    report = judge(checker(made(passes, raises=True)), Told(seen), "ann")
    assert outcomes(report) == ["passed"]


def test_a_check_with_a_bug_is_broken_and_names_its_line() -> None:
    report = judge(checker(made(has_a_bug), made(passes)), Told(), "ann")
    assert outcomes(report) == ["broken", "passed"]
    assert "test_judge.py, line" in report.checks[0].seen
    assert "KeyError: 'price'" in report.checks[0].seen
    assert report.exit_code == 2


def test_a_broken_check_does_not_hide_those_that_wait_for_it() -> None:
    broken = made(has_a_bug)
    report = judge(checker(broken, made(passes, after=broken)), Told(), "ann")
    assert outcomes(report) == ["broken", "passed"]


def test_a_missing_recording_is_the_labs_own_fault() -> None:
    broken = check(NOT_FOUND)(passes)
    report = judge(checker(broken), Told(), "ann")
    assert outcomes(report) == ["broken"]
    assert "no_such_recording" in report.checks[0].seen


def test_a_part_that_is_not_written_is_not_started() -> None:
    report = judge(
        checker(made(passes)), Told(unwritten={"step": "step does nothing yet"}), "ann"
    )
    assert outcomes(report) == ["not_started"]
    assert report.checks[0].seen == "step does nothing yet"
    assert (report.status, report.exit_code) == ("graded", 1)


def test_without_the_asked_names_there_is_nothing_to_grade() -> None:
    place = Told(unwritten={"step": "…"}, missing={"MyAgent": "Myagent"})
    report = judge(checker(made(passes)), place, "ann")
    assert (report.status, report.exit_code) == ("not_gradable", 2)
    assert report.notes == [
        "ann does not define MyAgent (it has Myagent); "
        "lesson_x is checked by that name."
    ]


def test_a_fault_while_loading_is_the_error_of_what_it_left_out() -> None:
    fault = {"type": "SyntaxError", "message": "x", "line": "cell 7, line 3"}
    missing = {"MyAgent": ""}
    place = Told(unwritten={"step": "…"}, missing=missing, fault=fault)
    report = judge(checker(made(passes)), place, "ann")
    assert outcomes(report) == ["error"]
    assert report.checks[0].seen == "cell 7, line 3: SyntaxError: x"
    assert report.exit_code == 1


def test_a_submission_that_does_not_finish_loading_gives_its_outcome_to_all() -> None:
    first = made(passes)
    place = Told(stopped="timeout")
    report = judge(checker(first, made(fails, after=first), made(fails)), place, "ann")
    assert outcomes(report) == ["timeout", "skipped", "timeout"]
    assert "while loading your file" in report.checks[0].seen


def test_a_process_that_cannot_be_started_is_the_labs_own_fault() -> None:
    report = judge(checker(made(passes)), Told(stopped="broken"), "ann")
    assert (outcomes(report), report.exit_code) == (["broken"], 2)


def test_no_checks_are_never_a_pass() -> None:
    assert judge(checker(), Told(), "ann").exit_code == 2


def test_points_come_from_the_checks_that_passed() -> None:
    report = judge(checker(made(passes, points=3), made(fails)), Told(), "ann")
    assert (report.score, report.max_score) == (3, 4)


def test_a_part_that_hangs_is_tried_once() -> None:
    place = Told(stopped("timeout"))
    other = check(run("one_lookup", part="step"), run("at_once", part="step"))(fails)
    report = judge(checker(made(passes), other), place, "ann")
    assert outcomes(report) == ["timeout", "timeout"]
    assert place.runs == 1
