"""Three caps, and each ends a run by itself and by its name."""

import json
from typing import Any

import pytest

from labkit.agent import Call, Limits, Result
from labkit.agent.loop import NOT_RUN
from tests.agent.conftest import StageFor, only
from tests.agent.turns import Turn, asks, call, says

SUM = call("calculator", {"expression": "1 + 1"})
UNKNOWN = [
    None,
    {},
    {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None},
    {"total_tokens": 9},
]


def sums(count: int) -> list[dict[str, Any]]:
    return [SUM | {"id": f"call_{n}"} for n in range(count)]


def spent(steps: int = 0, tool_calls: int = 0, tokens: int = 0) -> Result:
    return Result("?", steps=steps, tokens=tokens, tool_calls=[{}] * tool_calls)


@pytest.mark.parametrize(
    ("counted", "reason"),
    [
        (spent(), None),
        (spent(steps=7, tool_calls=19, tokens=19_999), None),
        (spent(steps=8), "step_budget"),
        (spent(steps=9), "step_budget"),
        (spent(tool_calls=20), "tool_call_budget"),
        (spent(tool_calls=21), "tool_call_budget"),
        (spent(tokens=20_000), "token_budget"),
        (spent(tokens=20_001), "token_budget"),
    ],
)
def test_the_spent_budget_is_named(
    stage: StageFor, counted: Result, reason: str | None
) -> None:
    assert stage().agent.over_budget(counted) == reason


def test_looking_does_not_count(stage: StageFor) -> None:
    agent, result = stage().agent, spent(7, 19, 19_999)
    assert {agent.over_budget(result) for _ in range(5)} == {None}


def test_a_budget_of_eight_buys_eight_completions(stage: StageFor) -> None:
    made = stage(*[asks(SUM)] * 8, limits=only(steps=8))
    result = made.run()
    assert (result.stopped_by, result.steps) == ("step_budget", 8)
    assert result.answer == "No answer: stopped by step_budget."


def test_an_answer_with_the_last_step_is_an_answer(stage: StageFor) -> None:
    made = stage(asks(SUM), says("Two."), limits=only(steps=2))
    assert made.run().stopped_by == "answered"


def test_calls_are_counted_one_by_one_not_by_message(stage: StageFor) -> None:
    made = stage(asks(*sums(3)), asks(*sums(3)), limits=only(tool_calls=6))
    result = made.run()
    assert result.stopped_by == "tool_call_budget"
    assert (result.steps, len(result.tool_calls)) == (2, 6)


def test_a_run_that_grows_is_cut_on_its_tokens(stage: StageFor) -> None:
    made = stage(*[asks(SUM)] * 3, limits=only(tokens=250))
    result = made.run()
    assert (result.stopped_by, result.tokens) == ("token_budget", 300)


def test_no_budget_at_all_asks_for_nothing(stage: StageFor) -> None:
    made = stage(limits=Limits(steps=0))
    assert made.run().stopped_by == "step_budget"


def test_calls_beyond_the_budget_are_answered_and_not_run(
    stage: StageFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = stage(limits=only(tool_calls=8)).agent
    calls = [Call(f"call_{n}", "calculator", '{"expression": "2"}') for n in range(40)]
    ran: list[str] = []

    def execute(asked: Call) -> str:
        ran.append(asked.id)
        return "2"

    monkeypatch.setattr(agent, "execute_call", execute)
    contents = agent.execute_calls(Result("?"), calls)
    assert ran == [f"call_{n}" for n in range(8)]
    assert contents == ["2"] * 8 + [NOT_RUN] * 32


def test_a_call_that_was_not_run_says_why() -> None:
    assert json.loads(NOT_RUN) == {"error": "not run: tool-call budget spent"}


def test_forty_calls_in_one_message_end_the_run_on_their_budget(
    stage: StageFor,
) -> None:
    result = stage(asks(*sums(40)), limits=only(tool_calls=20)).run()
    assert (result.stopped_by, result.steps) == ("tool_call_budget", 1)
    assert [message["tool_call_id"] for message in result.messages[3:]] == [
        f"call_{n}" for n in range(40)
    ]


def test_each_call_is_kept_with_its_outcome_and_its_time(stage: StageFor) -> None:
    result, asked = Result("?"), Call("call_1", "calculator", '{"expression": "2"}')
    [content] = stage().agent.execute_calls(result, [asked])
    assert result.tool_calls == [
        {"name": "calculator", "arguments": '{"expression": "2"}', "result": content}
    ]
    assert asked.seconds > 0


@pytest.mark.parametrize("usage", UNKNOWN, ids=str)
def test_unknown_usage_is_estimated_and_never_free(stage: StageFor, usage: Any) -> None:
    result = stage(says("Hello.", usage=usage)).run("Hello?")
    assert result.tokens_in > 0
    assert result.tokens_out > 0
    assert result.tokens == result.tokens_in + result.tokens_out


def test_usage_that_is_missing_is_estimated_too(stage: StageFor) -> None:
    turn: Turn = says("Hello.")
    del turn["body"]["usage"]
    assert stage(turn).run().tokens > 0


@pytest.mark.parametrize("half", ["prompt_tokens", "completion_tokens"])
def test_the_known_half_of_a_usage_is_used(stage: StageFor, half: str) -> None:
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    result = stage(says("Hello.", usage=usage | {half: 7_000})).run()
    assert 7_000 < result.tokens < 7_500


def test_an_estimate_grows_with_what_is_sent(stage: StageFor) -> None:
    made = stage(says("One.", usage=None), says("Two.", usage=None))
    short, long = made.run("x"), made.run("x" * 4_000)
    assert 900 < long.tokens_in - short.tokens_in < 1_100


def test_counting_returns_what_it_adds_and_leaves_the_sum_to_the_step(
    stage: StageFor,
) -> None:
    agent, result = stage(says("Hello.")).agent, Result("?")
    messages = [{"role": "user", "content": "Hello?"}]
    assert agent.count_tokens(result, messages, agent.complete(messages)) == 100
    assert (result.tokens, result.tokens_in, result.tokens_out) == (0, 90, 10)
