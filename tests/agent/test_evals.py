"""Evals: figures are numbers, every fault is told, and no run hides another."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.agent import (
    EvalReport,
    Result,
    evaluate,
    numbers_in,
    score,
    tools_that_ran,
)
from tests.agent.turns import steady

NUMBERS_IN = [
    ("", []),
    ("There is no figure here.", []),
    ("It is 640.", [640.0]),
    ("You paid 1,234.50, thank you.", [1234.5]),
    ("$48.16, 48.16 USD, US$48.16/kg, **48.16**", [48.16] * 4),
    ("EUR48.16 48.16€ (48.16) 48.16%", [48.16] * 4),
    ("NW-1041 costs 5", [5.0]),
    ("It took 5-10 days", [5.0, 10.0]),
    ("-3.5, \u22122 and (-1)", [-3.5, -2.0, -1.0]),
    ("12,345,678.9", [12345678.9]),
    ("1'000 1\u00a0000 1\u2009000 1\u202f000", [1000.0] * 4),
    ("12,5", [12.0, 5.0]),
    ("1,2345", [1.0, 2345.0]),
    ("items 1,2,3", [1.0, 2.0, 3.0]),
    (".5 and 0.50", [0.5, 0.5]),
    ("1.5e3 and 2E-2", [1500.0, 0.02]),
    ("11.2*4.3=48.16", [11.2, 4.3, 48.16]),
    ("3/4 of 2x", [3.0, 4.0, 2.0]),
    ("on 2026-06-12", [2026.0, 6.0, 12.0]),
    ("version 2.16.0, on 12.06.2026", []),
    ("0", [0.0]),
    ("It is 640.\nThen 7", [640.0, 7.0]),
]
CASE = {
    "id": "postage",
    "question": "What is the postage?",
    "recording": "shipping_chain",
    "numbers": [48.16, 1234.5],
    "tools": ["lookup_order", "calculator"],
    "max_steps": 4,
}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"answer": "It is 48.16."}, "1234.5 is not in the answer: It is 48.16."),
    ({"tool_calls": [{"name": "lookup_order"}]}, "calculator did not run"),
    ({"steps": 5}, "5 steps, allowed are 4"),
    ({"stopped_by": "token_budget"}, "stopped by token_budget"),
    ({"stopped_by": "provider_error"}, "stopped by provider_error"),
    ({"stopped_by": None}, "stopped by None"),
]


def result(**fields: Any) -> Result:
    """A result that is right for CASE, unless the fields say else."""
    used = ["calculator", "lookup_order", "lookup_order", "shipping_rate"]
    right: dict[str, Any] = {
        "answer": "It is 48.16 of your 1,234.50.",
        "stopped_by": "answered",
        "steps": 4,
        "tool_calls": [{"name": name} for name in used],
    }
    return Result("What is the postage?", **right | fields)


def case(id: str) -> dict[str, Any]:
    return CASE | {"id": id, "question": f"What about {id}?"}


def run(case: dict[str, Any]) -> Result:
    """Right for the id "good", wrong for "bad", and no result for "lost"."""
    if case["id"] == "lost":
        raise KeyError("weight_kg")
    return result() if case["id"] == "good" else result(stopped_by="step_budget")


@pytest.mark.parametrize(("text", "numbers"), NUMBERS_IN)
def test_numbers_are_found_as_people_write_them(
    text: str, numbers: list[float]
) -> None:
    assert numbers_in(text) == numbers


@steady
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_every_float_is_found_as_python_writes_it(numbers: list[float]) -> None:
    assert numbers_in(" and ".join(map(repr, numbers))) == numbers


@steady
@given(st.integers(-(10**15), 10**15), st.integers(0, 99))
def test_an_amount_of_money_is_found_as_a_sentence_ends_with_it(
    whole: int, cents: int
) -> None:
    text = f"{whole:,}.{cents:02}"
    assert numbers_in(f"You paid {text}.") == [float(text.replace(",", ""))]


@steady
@given(st.text())
def test_any_text_has_a_list_of_numbers(text: str) -> None:
    assert all(type(number) is float for number in numbers_in(text))


@steady
@given(st.from_regex(r"[A-Z]{2}-\d{1,9}", fullmatch=True))
def test_the_figures_of_an_id_are_no_number(id: str) -> None:
    assert numbers_in(f"Order {id}, or {id}.") == []


def test_a_right_run_has_nothing_against_it() -> None:
    assert score(CASE, result()) == []


def test_a_finished_run_is_as_good_as_an_answered_one() -> None:
    assert score(CASE, result(stopped_by="finished")) == []


@pytest.mark.parametrize(("fields", "reason"), WRONG)
def test_one_fault_gives_one_reason(fields: dict[str, Any], reason: str) -> None:
    assert score(CASE, result(**fields)) == [reason]


def test_every_fault_is_told() -> None:
    wrong = result(answer="64", stopped_by="step_budget", steps=9, tool_calls=[])
    assert len(score(CASE, wrong)) == 6


@pytest.mark.parametrize(
    ("said", "passes"), [("48.2", False), ("48.17", False), ("48.1601", True)]
)
def test_a_figure_is_the_same_to_the_cent(said: str, passes: bool) -> None:
    reasons = score(CASE | {"numbers": [48.16]}, result(answer=f"It is {said}."))
    assert (reasons == []) is passes


def test_what_a_case_leaves_out_is_not_asked_for() -> None:
    short = {"id": "talk", "question": "Hello?", "recording": "at_once"}
    assert score(short, result(answer="Hello", tool_calls=[], steps=99)) == []
    assert score(short, result(stopped_by="step_budget")) != []


def test_neither_case_nor_result_is_changed() -> None:
    given = result(tool_calls=[{"name": "refund"}], answer="7")
    before = dataclasses.asdict(given)
    asked: dict[str, Any] = CASE | {"numbers": [1, 2], "tools": ["a", "b"]}
    score(asked, given)
    assert dataclasses.asdict(given) == before
    assert asked == CASE | {"numbers": [1, 2], "tools": ["a", "b"]}


def test_a_report_holds_counts_reasons_and_questions() -> None:
    report = evaluate(run, [case("good"), case("bad")], 0.5)
    assert report == EvalReport(
        passed=1,
        total=2,
        pass_rate=0.5,
        failures={"bad": ["stopped by step_budget"]},
        stops={
            "answered": ["What about good?"],
            "step_budget": ["What about bad?"],
        },
        exit_code=0,
    )


@pytest.mark.parametrize(
    ("ids", "threshold", "code"),
    [
        (["good"], 1.0, 0),
        (["good", "bad"], 0.5, 0),
        (["good", "bad"], 0.51, 1),
        (["bad"], 0.0, 0),
        (["bad"], 0.01, 1),
    ],
)
def test_the_threshold_itself_is_enough(
    ids: list[str], threshold: float, code: int
) -> None:
    assert evaluate(run, map(case, ids), threshold).exit_code == code


def test_a_run_that_raises_fails_its_case_and_no_other() -> None:
    report = evaluate(run, [case("lost"), case("good"), case("lost")], 0.3)
    reason = "raised KeyError: 'weight_kg'"
    assert report.failures == {"lost": [reason, reason]}
    assert (report.passed, report.total, report.exit_code) == (1, 3, 0)
    assert report.stops["raised"] == ["What about lost?"] * 2


def test_who_presses_the_stop_button_is_heard() -> None:
    def stopped(case: dict[str, Any]) -> Result:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(stopped, [CASE], 0.5)


def test_no_cases_at_all_raise() -> None:
    with pytest.raises(ValueError, match="no cases"):
        evaluate(run, iter([]), 0.0)


@steady
@given(st.lists(st.sampled_from(["good", "bad", "lost"]), min_size=1), st.floats(0, 1))
def test_nothing_is_lost_in_a_report(ids: list[str], threshold: float) -> None:
    report = evaluate(run, map(case, ids), threshold)
    assert report.total == len(ids) == sum(map(len, report.stops.values()))
    assert report.passed == ids.count("good")
    assert set(report.failures) == set(ids) - {"good"}
    assert report.exit_code == (1 if report.pass_rate < threshold else 0)


def test_a_report_that_nobody_filled_in_is_not_a_pass() -> None:
    assert EvalReport().exit_code == 1
    assert EvalReport().failures is not EvalReport().failures


@pytest.mark.parametrize(
    ("outcome", "ran"),
    [
        ('{"value": 3}', {"refund"}),
        ('"all in one text"', {"refund"}),
        ('{"error": "denied: above the limit"}', set()),
        ({"error": "denied"}, set()),
        ({"refunded": 3}, {"refund"}),
        ('{"error": "cut off after its first', set()),
        (None, {"refund"}),
    ],
)
def test_a_call_that_came_back_as_an_error_did_not_run(
    outcome: Any, ran: set[str]
) -> None:
    calls = [{"name": "refund", "arguments": "{}", "result": outcome}]
    assert tools_that_ran(Result("?", tool_calls=calls)) == ran


def test_a_tool_that_failed_once_and_then_worked_ran() -> None:
    calls = [{"name": "refund", "result": text} for text in ('{"error": "x"}', "{}")]
    assert tools_that_ran(Result("?", tool_calls=calls)) == {"refund"}
