"""What is sent is what was said, made well formed where it was not."""

import copy
import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from labkit.agent.sending import sendable
from labkit.replay.rules import find_fault
from tests.agent.turns import call

MALFORMED = [
    '{"a": 1}{"b": 2}',
    '{"a": ',
    "[1]",
    "null",
    "text",
    '{"a": NaN}',
    '{"a": 1e999}',
    '"text"',
    pytest.param("[" * 100_000, id="a hundred thousand brackets"),
]
NAMES = ["", "no such", "lookup<|channel|>", "\u00fcber", "x" * 65, "a.b"]


def history(*calls: Any) -> list[dict[str, Any]]:
    """A conversation in which these calls were made and answered."""
    return [
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": None, "tool_calls": list(calls)},
        {"role": "tool", "tool_call_id": "call_1", "content": "{}"},
    ]


def function_sent(messages: list[Any]) -> dict[str, Any]:
    [sent] = sendable(messages)[1]["tool_calls"]
    return dict(sent["function"])


def test_a_well_formed_history_is_sent_as_it_is() -> None:
    said = history(call("lookup_order", {"order_id": "caf\u00e9"}))
    assert sendable(said) == said


@pytest.mark.parametrize("raw", MALFORMED)
def test_malformed_arguments_are_wrapped_whole_into_an_object(raw: str) -> None:
    arguments = function_sent(history(call("refund", raw)))["arguments"]
    assert json.loads(arguments) == {"malformed": raw}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_no_provider_takes_is_respelled(name: str) -> None:
    sent = sendable(history(call(name)))
    assert find_fault({"messages": sent}, "strict") is None


def test_a_respelled_name_can_be_recognised() -> None:
    sent = function_sent(history(call("look up.order-1")))
    assert sent["name"] == "look_up_order-1"


def test_the_type_that_a_server_left_out_is_put_in() -> None:
    said = call("refund")
    del said["type"]
    assert sendable(history(said))[1]["tool_calls"] == [call("refund")]


@pytest.mark.parametrize("raw", ["{}", '{"a": '])
def test_what_was_said_is_not_changed_by_sending_it(raw: str) -> None:
    said = history(call("no such", raw))
    before = copy.deepcopy(said)
    sendable(said)
    assert said == before


def test_the_sdks_messages_are_taken_with_what_the_sdk_does_not_know() -> None:
    fields = {"role": "assistant", "content": "Hm.", "reasoning_content": "Why?"}
    message = ChatCompletionMessage.model_validate(fields)
    assert sendable([message]) == [fields]


def test_calls_of_the_sdk_may_stand_in_a_message_written_by_hand() -> None:
    fields = {"role": "assistant", "tool_calls": [call("refund", '{"a": ')]}
    calls = ChatCompletionMessage.model_validate(fields).tool_calls
    assert calls
    arguments = function_sent(history(*calls))["arguments"]
    assert json.loads(arguments) == {"malformed": '{"a": '}


@pytest.mark.parametrize("raw", ["", "  "])
def test_no_text_is_sent_as_no_arguments(raw: str) -> None:
    assert function_sent(history(call("refund", raw)))["arguments"] == "{}"


def test_arguments_that_are_an_object_already_are_sent_as_text_without_a_warning() -> (
    None
):
    raw = call("refund") | {"function": {"name": "refund", "arguments": {"amount": 5}}}
    message = ChatCompletionMessage.construct(role="assistant", tool_calls=[raw])
    [sent] = sendable([message])[0]["tool_calls"]
    assert json.loads(sent["function"]["arguments"]) == {"amount": 5}


def answered(*ids: Any, sent: list[Any] | None = None) -> list[dict[str, Any]]:
    """Calls under these ids, and their results under the same, or those `sent`."""
    calls = [call("lookup_order", {"order_id": str(n)}) for n in range(len(ids))]
    results = [{"role": "tool", "tool_call_id": id, "content": "{}"} for id in ids]
    for made, id in zip(calls, ids):
        made["id"] = id
    for result, id in zip(results, sent or ids):
        result["tool_call_id"] = id
    return [
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        *results,
    ]


IDS = [[None], [""], ["a", "a"], ["a", "a", "a"], [None, None], ["a", None, "a", "b"]]


@pytest.mark.parametrize("ids", IDS, ids=str)
def test_ids_that_are_missing_or_stand_twice_become_their_own(ids: list[Any]) -> None:
    assert find_fault({"messages": sendable(answered(*ids))}) is None


@pytest.mark.parametrize("ids", IDS, ids=str)
def test_a_new_id_stays_the_same_while_the_history_grows(ids: list[Any]) -> None:
    first = answered(*ids)
    assert sendable(first + answered(*ids))[: len(first)] == sendable(first)
    assert find_fault({"messages": sendable(first + answered(*ids))}) is None


def test_an_id_of_its_own_is_kept_beside_one_that_is_missing() -> None:
    calls = sendable(answered("call_a", None, "call_b"))[1]["tool_calls"]
    assert [calls[0]["id"], calls[2]["id"]] == ["call_a", "call_b"]


@pytest.mark.parametrize(
    ("ids", "wrong"),
    [
        (["a", "b"], ["a", "a"]),
        (["a", "b"], ["a", None]),
        (["a"], [None]),
        (["a", "a"], ["a", "b"]),
        ([None, None], [None, "b"]),
    ],
)
def test_a_result_under_a_wrong_id_is_not_put_right(
    ids: list[Any], wrong: list[Any]
) -> None:
    assert find_fault({"messages": sendable(answered(*ids, sent=wrong))})


def test_a_result_that_is_missing_is_not_made_up() -> None:
    assert find_fault({"messages": sendable(answered("a", "a")[:-1])})


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool", "tool_call_id": "call_1", "content": "half \ud83d"},
        {"role": "user", "content": [{"type": "text", "text": "half \ud83d"}]},
    ],
)
def test_half_a_character_becomes_a_question_mark(message: dict[str, Any]) -> None:
    text = json.dumps(sendable([message]), ensure_ascii=False)
    assert "half ?" in text
