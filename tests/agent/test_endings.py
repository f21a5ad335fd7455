"""How a reply itself can end the run: refused, filtered, cut off or empty."""

from typing import Any

import pytest

from tests.agent.conftest import StageFor
from tests.agent.turns import Turn, asks, call, reply, says

REFUND = call("refund", {"order_id": "NW-1041", "amount": 5})
REFUSED = "I cannot help with that."
ENDINGS = {
    "refusal": reply({"content": None, "refusal": REFUSED}),
    "content_filter": reply({"content": None}, "content_filter"),
    "length": reply({"content": "It costs"}, "length"),
    "empty_answer": says(None),
}
WITH_CALLS = {
    "refusal": {"content": None, "refusal": REFUSED},
    "content_filter": {"content": "Well,"},
    "length": {"content": None},
}


@pytest.mark.parametrize(("reason", "turn"), ENDINGS.items())
def test_the_run_ends_with_the_name_of_its_reason(
    stage: StageFor, reason: str, turn: Turn
) -> None:
    result = stage(turn).run()
    assert (result.stopped_by, result.steps) == (reason, 1)


@pytest.mark.parametrize(("reason", "turn"), ENDINGS.items())
def test_veto_names_the_same_reason(stage: StageFor, reason: str, turn: Turn) -> None:
    agent = stage(turn).agent
    response = agent.complete([{"role": "user", "content": "Hello?"}])
    assert agent.veto(response) == reason


@pytest.mark.parametrize("turn", [says("Hi."), asks(REFUND)], ids=["text", "calls"])
def test_text_or_calls_are_no_reason_to_stop(stage: StageFor, turn: Turn) -> None:
    agent = stage(turn).agent
    response = agent.complete([{"role": "user", "content": "Hello?"}])
    assert agent.veto(response) is None


@pytest.mark.parametrize(("reason", "fields"), WITH_CALLS.items())
def test_the_calls_of_such_a_reply_are_not_run(
    stage: StageFor, shop: Any, reason: str, fields: dict[str, Any]
) -> None:
    finish = "stop" if reason == "refusal" else reason
    result = stage(reply({**fields, "tool_calls": [REFUND]}, finish)).run()
    assert result.stopped_by == reason
    assert shop.ledger() == []
    assert result.tool_calls == []


def test_what_was_said_before_it_was_cut_off_is_the_answer(stage: StageFor) -> None:
    assert stage(ENDINGS["length"]).run().answer == "It costs"


@pytest.mark.parametrize("content", [None, ""])
def test_an_empty_answer_is_said_to_be_none(stage: StageFor, content: Any) -> None:
    result = stage(says(content)).run()
    assert result.answer == "No answer: stopped by empty_answer."


def test_a_reply_that_ended_the_run_was_paid_for(stage: StageFor) -> None:
    assert stage(ENDINGS["empty_answer"]).run().tokens == 100
