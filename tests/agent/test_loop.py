"""The loop: ask, do what was asked for, report back, ask again."""

import json
from typing import Any

import pytest

from labkit.agent import Call, Limits, Result
from tests.agent.conftest import StageFor
from tests.agent.turns import asks, call, reply, says

LOOK = call("lookup_order", {"order_id": "NW-1041"})


def test_a_question_answered_at_once_costs_one_request(stage: StageFor) -> None:
    made = stage(says("Hello, I can look up orders."))
    result = made.run("Hello?")
    assert (result.answer, result.stopped_by) == (
        "Hello, I can look up orders.",
        "answered",
    )
    assert (len(made.requests), result.steps) == (1, 1)


def test_system_prompt_and_question_open_the_first_request(stage: StageFor) -> None:
    made = stage(says("Hi."), system="Be brief.")
    made.run("Hello?")
    assert made.requests[0]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
    ]


def test_each_request_carries_the_model_and_the_schemas(stage: StageFor) -> None:
    made = stage(asks(LOOK), says("Done."), model="some-model")
    made.run()
    for request in made.requests:
        assert request["model"] == "some-model"
        assert request["tools"] == made.agent.tools


def test_an_agent_without_tools_sends_no_empty_list_of_them(stage: StageFor) -> None:
    made = stage(says("Hi."), tools=[], functions={})
    made.run()
    assert "tools" not in made.requests[0]


def test_what_the_model_asked_goes_back_as_it_came(stage: StageFor) -> None:
    message = {"content": "Let me look.", "tool_calls": [LOOK], "reasoning": "Hm."}
    made = stage(reply(message), says("Done."))
    made.run()
    assert made.requests[1]["messages"][2] == {"role": "assistant", **message}


def test_each_call_gets_one_result_in_order_under_its_own_id(stage: StageFor) -> None:
    rates = [
        call("shipping_rate", {"country": "Norway"}, id="call_z"),
        call("shipping_rate", {"country": "Japan"}, id="call_a"),
    ]
    made = stage(asks(*rates), says("Done."))
    made.run()
    results = made.requests[1]["messages"][3:]
    assert [message["tool_call_id"] for message in results] == ["call_z", "call_a"]
    countries = [json.loads(message["content"])["country"] for message in results]
    assert countries == ["Norway", "Japan"]


def test_each_request_begins_with_the_one_before(stage: StageFor) -> None:
    made = stage(asks(LOOK), asks(LOOK), says("Done."))
    made.run()
    first, second, third = (request["messages"] for request in made.requests)
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert [len(first), len(second), len(third)] == [2, 4, 6]


def test_forty_calls_in_one_message_are_all_answered(stage: StageFor) -> None:
    calls = [call("calculator", {"expression": str(n)}, f"call_{n}") for n in range(40)]
    made = stage(asks(*calls), says("Done."), limits=Limits(tool_calls=50))
    made.run()
    results = made.requests[1]["messages"][3:]
    assert [json.loads(message["content"])["value"] for message in results] == [
        *range(40)
    ]


@pytest.mark.parametrize("reason", ["stop", None, "tool_calls", "function_call"])
def test_only_the_calls_decide_whether_it_goes_on(stage: StageFor, reason: Any) -> None:
    asked = reply({"content": "Wait.", "tool_calls": [LOOK]}, reason)
    made = stage(asked, reply({"content": "Done."}, reason))
    result = made.run()
    assert (result.answer, result.steps) == ("Done.", 2)


@pytest.mark.parametrize("calls", [{"tool_calls": []}, {"tool_calls": None}, {}])
def test_a_message_without_calls_is_the_answer(stage: StageFor, calls: Any) -> None:
    assert stage(reply({"content": "Done.", **calls})).run().answer == "Done."


def test_the_message_is_kept_whole_in_the_transcript(stage: StageFor) -> None:
    made = stage(reply({"content": "Wait.", "tool_calls": [LOOK]}), says("Done."))
    asked, _, answered = made.run().messages[2:]
    assert asked.content == "Wait."
    assert asked.tool_calls[0].id == "call_1"
    assert asked.tool_calls[0].function.arguments == LOOK["function"]["arguments"]
    assert answered.content == "Done."


def test_the_result_counts_steps_tokens_and_calls(stage: StageFor) -> None:
    result = stage(asks(LOOK), says("Done.")).run()
    assert (result.steps, result.tokens) == (2, 200)
    assert (result.tokens_in, result.tokens_out) == (180, 20)
    [entry] = result.tool_calls
    assert (entry["name"], entry["arguments"]) == (
        "lookup_order",
        LOOK["function"]["arguments"],
    )
    assert json.loads(entry["result"])["order_id"] == "NW-1041"


def test_a_second_run_starts_empty(stage: StageFor) -> None:
    made = stage(asks(LOOK), says("First."), asks(LOOK), says("Second."))
    first = made.run("One?")
    second = made.run("Two?")
    assert second.question == "Two?"
    assert (second.answer, second.steps, len(second.tool_calls)) == ("Second.", 2, 1)
    assert second.tokens == first.tokens
    assert [message["content"] for message in made.requests[2]["messages"]][1:] == [
        "Two?"
    ]


def test_a_step_returns_none_to_go_on_and_a_reason_to_stop(stage: StageFor) -> None:
    made = stage(asks(LOOK), says("Done."))
    result = Result("Well?", messages=[{"role": "user", "content": "Well?"}])
    assert made.agent.step(result) is None
    assert made.agent.step(result) == "answered"


def test_what_on_tool_result_returns_is_what_is_sent(
    stage: StageFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stage(asks(LOOK), says("Done."))

    def shout(result: Result, asked: Call, content: str) -> str:
        return f"{asked.name.upper()}!"

    monkeypatch.setattr(made.agent, "on_tool_result", shout)
    made.run()
    assert made.requests[1]["messages"][3]["content"] == "LOOKUP_ORDER!"
