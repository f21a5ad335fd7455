"""The shop's six eval cases hold for every seed, and each asks for something."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from labkit.agent import Agent, Result, evaluate, score
from labkit.lab import recording_files
from labkit.replay import connect, find_recording
from labkit.shop import SYSTEM, TOOLS, Shop, cases
from labkit.shop.cases import filled

Case = dict[str, Any]
SEEDS = range(10)
NAMES = [tool["function"]["name"] for tool in TOOLS]
each_seed = pytest.mark.parametrize("seed", SEEDS)


def runner(seed: int, without: str = "") -> Callable[[Case], Result]:
    """A `run` for `evaluate`: the finished agent, without one of its tools if named."""
    tools = [tool for tool in TOOLS if tool["function"]["name"] != without]

    def run(case: Case) -> Result:
        with closing(Shop(seed)) as shop:
            client = connect(case["recording"], seed)
            agent = Agent(client, tools, shop.functions, system=SYSTEM)
            return agent.run(case["question"])

    return run


def variant(seed: int, id: str, recording: str) -> Case:
    """One of the six with another recording of the same question."""
    case = next(case for case in cases(seed) if case["id"] == id)
    assert find_recording(recording, seed).question == case["question"]
    return case | {"recording": recording}


@each_seed
def test_the_finished_agent_passes_all_six(seed: int) -> None:
    report = evaluate(runner(seed), cases(seed), 1.0)
    assert (report.failures, report.passed, report.exit_code) == ({}, 6, 0)


@each_seed
def test_a_case_asks_what_its_recording_was_asked(seed: int) -> None:
    for case in cases(seed):
        assert case["question"] == find_recording(case["recording"], seed).question


@each_seed
def test_every_case_asks_for_figures_tools_and_steps(seed: int) -> None:
    for case in cases(seed):
        fields = {"id", "question", "recording", "numbers", "tools", "max_steps"}
        assert case.keys() == fields
        assert {type(number) for number in case["numbers"]} == {float}
        assert set() < set(case["tools"]) <= set(NAMES)
        assert case["max_steps"] > 1
        assert "{{" not in str(case)


def test_ids_and_recordings_are_unique() -> None:
    stems = {path.stem for path in recording_files()}
    for field in ("id", "recording"):
        assert len({case[field] for case in cases()}) == 6
    assert {case["recording"] for case in cases()} <= stems


@each_seed
def test_cases_need_the_calculator_and_one_its_figure(seed: int) -> None:
    report = evaluate(runner(seed, without="calculator"), cases(seed), 1.0)
    assert report.failures["postage"] == ["calculator did not run"]
    assert "is not in the answer" in report.failures["postage_in_euros"][-1]
    assert len(report.failures) == 2


@each_seed
@pytest.mark.parametrize(
    ("id", "recording", "reason"),
    [
        ("postage_in_euros", "postage_in_the_head", "is not in the answer"),
        ("small_refund", "refund_only_promised", "refund did not run"),
        ("second_number", "gave_up_at_once", "is not in the answer"),
    ],
)
def test_a_fluent_wrong_answer_is_caught(
    seed: int, id: str, recording: str, reason: str
) -> None:
    case = variant(seed, id, recording)
    result = runner(seed)(case)
    assert result.stopped_by == "answered"
    assert reason in score(case, result)[-1]


def test_figures_of_another_seed_fail() -> None:
    for here, there in zip(cases(0), cases(1)):
        assert here["numbers"] != there["numbers"]


def test_what_is_handed_out_is_nobody_elses() -> None:
    cases()[0]["tools"].clear()
    assert cases()[0]["tools"]


def test_a_fact_that_the_shop_does_not_have_is_named() -> None:
    with pytest.raises(KeyError, match=r"order\.colour"):
        filled([{"numbers": ["{{order.colour}}"]}])


def test_only_a_text_that_is_a_placeholder_becomes_a_number() -> None:
    given = ["{{orders.count}}", "all {{orders.count}}", "120", 7, None]
    assert filled(given) == [120.0, "all 120", "120", 7, None]
