"""Whatever a call is, the model reads what was wrong with it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.agent import Call
from tests.agent.conftest import StageFor
from tests.agent.turns import asks, call, says, steady, tool

MALFORMED = {
    "glued": '{"order_id": "NW-1041"}{"country": "Norway"}',
    "truncated": '{"order_id": "NW-10',
    "array": '["NW-1041"]',
    "null": "null",
    "bare text": "NW-1041",
    "quoted text": '"NW-1041"',
    "number": "1041",
    "fenced": '```json\n{"order_id": "NW-1041"}\n```',
    "single quotes": "{'order_id': 'NW-1041'}",
    "trailing comma": '{"order_id": "NW-1041",}',
    "NaN": '{"amount": NaN}',
    "Infinity": '{"amount": -Infinity}',
    "1e999": '{"amount": 1e999}',
    "deep": "[" * 100_000,
}
NOTHING = ["", "  ", "\n"]
USEFUL = ("json", "argument", "object", "not a number")
malformed = pytest.mark.parametrize("raw", MALFORMED.values(), ids=MALFORMED.keys())


class Refused(Exception):
    """What a tool of a test raises."""


def error_of(content: str) -> str:
    answer = json.loads(content)
    assert list(answer) == ["error"]
    return str(answer["error"])


def echoing(stage: StageFor, echo: Any, *turns: Any) -> Any:
    return stage(*turns, tools=[tool("echo")], functions={"echo": echo})


def never(**args: Any) -> None:
    pytest.fail("no tool may run on such arguments")


@malformed
def test_malformed_arguments_are_answered_with_what_is_wrong(
    stage: StageFor, raw: str
) -> None:
    content = echoing(stage, never).agent.execute_call(Call("call_1", "echo", raw))
    assert any(word in error_of(content).lower() for word in USEFUL)


@pytest.mark.parametrize("raw", ["[]", "null", '"NW-1041"', "1041", "true"])
def test_json_that_is_no_object_is_told_what_it_must_be(
    stage: StageFor, raw: str
) -> None:
    content = stage().agent.execute_call(Call("call_1", "refund", raw))
    assert "arguments must be a JSON object" in error_of(content)


@pytest.mark.parametrize("raw", NOTHING)
def test_arguments_that_are_no_text_at_all_are_no_json(
    stage: StageFor, raw: str
) -> None:
    content = echoing(stage, never).agent.execute_call(Call("call_1", "echo", raw))
    assert "JSONDecodeError" in error_of(content)


@pytest.mark.parametrize(
    ("raw", "args"), [*((raw, {}) for raw in NOTHING), ({"a": [1]}, {"a": [1]})]
)
def test_a_run_reads_what_the_model_cannot_write_any_better(
    stage: StageFor, raw: Any, args: dict[str, Any]
) -> None:
    asked = call("echo") | {"function": {"name": "echo", "arguments": raw}}
    made = echoing(stage, lambda **given: given, asks(asked), says("Done."))
    result = made.run()
    sent = made.requests[1]["messages"]
    assert json.loads(sent[3]["content"]) == args
    assert json.loads(sent[2]["tool_calls"][0]["function"]["arguments"]) == args
    assert result.tool_calls[0]["arguments"] == raw


def test_a_required_argument_is_missed_by_name_where_there_is_no_text(
    stage: StageFor,
) -> None:
    made = stage(asks(call("lookup_order", "")), says("Sorry."))
    made.run()
    assert "order_id" in error_of(made.requests[1]["messages"][3]["content"])


@malformed
def test_a_run_survives_malformed_arguments(stage: StageFor, raw: str) -> None:
    made = echoing(stage, never, asks(call("echo", raw)), says("Sorry."))
    assert made.run().answer == "Sorry."
    assert error_of(made.requests[1]["messages"][3]["content"])


@pytest.mark.parametrize("raw", [None, {"amount": 5}, 5])
def test_arguments_that_are_no_text_are_an_error_too(stage: StageFor, raw: Any) -> None:
    content = echoing(stage, never).agent.execute_call(Call("call_1", "echo", raw))
    assert "JSON object" in error_of(content)


@pytest.mark.parametrize("name", ["find_order", "", "lookup_order<|channel|>"])
def test_an_unknown_tool_is_named_in_the_answer(stage: StageFor, name: str) -> None:
    made = stage(asks(call(name)), says("Sorry."))
    assert made.run().answer == "Sorry."
    assert repr(name) in error_of(made.requests[1]["messages"][3]["content"])


@pytest.mark.parametrize("raised", [Refused("closed on Sundays"), KeyError("when")])
def test_a_tool_that_raises_is_answered_with_type_and_words(
    stage: StageFor, raised: Exception
) -> None:
    def echo() -> None:
        raise raised

    error = error_of(echoing(stage, echo).agent.execute_call(Call("", "echo", "{}")))
    assert type(raised).__name__ in error
    assert str(raised) in error


def test_an_exception_without_words_still_has_a_name(stage: StageFor) -> None:
    def echo() -> None:
        raise Refused

    content = echoing(stage, echo).agent.execute_call(Call("", "echo", "{}"))
    assert "Refused" in error_of(content)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_the_stop_button_is_not_swallowed(stage: StageFor, raised: Any) -> None:
    def echo() -> None:
        raise raised

    with pytest.raises(raised):
        echoing(stage, echo).agent.execute_call(Call("", "echo", "{}"))


def test_a_wrong_argument_is_named(stage: StageFor) -> None:
    raw = '{"order_number": "NW-1041"}'
    content = stage().agent.execute_call(Call("", "lookup_order", raw))
    assert "order_number" in error_of(content)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", float("nan"), float("inf")])
def test_a_result_that_json_cannot_hold_is_an_error(
    stage: StageFor, value: Any
) -> None:
    agent = echoing(stage, lambda: value).agent
    assert "JSON" in error_of(agent.execute_call(Call("", "echo", "{}")))


def test_an_error_the_tool_reports_itself_arrives_once(stage: StageFor) -> None:
    raw = '{"order_id": "NW-9999"}'
    content = stage().agent.execute_call(Call("", "lookup_order", raw))
    assert error_of(content).startswith("there is no order 'NW-9999'")


def test_a_good_call_is_untouched(stage: StageFor) -> None:
    agent = echoing(stage, lambda **args: args).agent
    args = {"a": 1.5, "b": None, "c": ["what's", "caf\u00e9"], "d": 2**60}
    content = agent.execute_call(Call("", "echo", json.dumps(args)))
    assert json.loads(content) == args


def test_one_failing_call_leaves_its_neighbours_alone(stage: StageFor) -> None:
    good = {"expression": "6 * 7"}
    calls = [call("calculator", good, "call_1"), call("calculator", "{", "call_2")]
    made = stage(asks(*calls, call("calculator", good, "call_3")), says("Done."))
    made.run()
    first, second, third = made.requests[1]["messages"][3:]
    assert first["content"] == third["content"] == '{"value": 42}'
    assert error_of(second["content"])


@steady
@given(st.text() | st.text('{}[]":,0e.-NaN ', max_size=12), st.text(max_size=8))
def test_no_text_makes_a_call_raise(stage: StageFor, raw: str, name: str) -> None:
    assert json.loads(stage().agent.execute_call(Call("", name, raw)))
