"""Calls are read off a message as the model wrote them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessage

from labkit.agent import Call, parse_tool_calls
from labkit.agent.calls import finite
from tests.agent.turns import call, steady


def message(**fields: Any) -> ChatCompletionMessage:
    """A message as the SDK builds it from a provider's JSON, unchecked."""
    return ChatCompletionMessage.construct(role="assistant", **fields)


@pytest.mark.parametrize("fields", [{}, {"tool_calls": None}, {"tool_calls": []}])
def test_a_message_without_calls_gives_an_empty_list(fields: dict[str, Any]) -> None:
    assert parse_tool_calls(message(content="Hello.", **fields)) == []


def test_calls_come_in_the_models_order_with_their_own_id_and_name() -> None:
    calls = [call("refund", id="call_b"), call("lookup_order", id="call_a")]
    assert parse_tool_calls(message(content="", tool_calls=calls)) == [
        Call("call_b", "refund", "{}"),
        Call("call_a", "lookup_order", "{}"),
    ]


def test_text_beside_calls_hides_none_of_them() -> None:
    said = message(content="Let me look.", tool_calls=[call("lookup_order")])
    assert [call.name for call in parse_tool_calls(said)] == ["lookup_order"]


@pytest.mark.parametrize("raw", ['{"a": 1}{"b": 2}', '{"a"', "[1]", "", "NW-1041"])
def test_arguments_stay_the_text_they_were(raw: str) -> None:
    [parsed] = parse_tool_calls(message(tool_calls=[call("refund", raw)]))
    assert parsed.arguments == raw


def test_a_call_has_taken_no_time_yet() -> None:
    assert Call("call_1", "refund", "{}").seconds == 0.0


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_what_is_no_finite_number_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match=f"{text} is not a number"):
        json.loads(f'{{"amount": {text}}}', parse_float=finite, parse_constant=finite)


@steady
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_finite_number_is_read_as_json_reads_it(number: float) -> None:
    assert json.loads(json.dumps(number), parse_float=finite) == number
