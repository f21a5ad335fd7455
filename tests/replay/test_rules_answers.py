"""Calls without results and results without calls are refused, in the API's words."""

from typing import Any

import pytest

from labkit.replay.rules import Refusal, find_fault
from tests.agent.turns import call
from tests.replay.conversations import USER, asking, request, result

NO_CALL = (
    "Invalid parameter: messages with role 'tool' must be a response to a preceding "
    "message with 'tool_calls'."
)
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages "
    "responding to each 'tool_call_id'. The following tool_call_ids did not have "
    "response messages: "
)
NO_ID = (
    "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
    "'tool_call_id'."
)
TWO = asking(call("refund", id="call_a"), call("refund", id="call_b"))
A, B = result("call_a"), result("call_b")


def refusal(asked: dict[str, Any], level: str = "openai") -> Refusal:
    found = find_fault(asked, level)
    assert found
    return found


@pytest.mark.parametrize(
    ("messages", "index"),
    [
        ([A], 1),
        ([USER, A], 2),
        ([{"role": "assistant", "content": "Hm."}, A], 2),
        ([TWO, A, B, USER, A], 5),
        ([{"role": "assistant", "content": "Hm.", "tool_calls": []}, A], 2),
    ],
)
def test_a_result_without_a_call_before_it_is_refused(
    messages: list[Any], index: int
) -> None:
    found = refusal(request(*messages))
    assert (found.rule, found.text) == ("result_follows_its_call", NO_CALL)
    assert (found.message, found.param) == (index, f"messages.[{index}].role")


@pytest.mark.parametrize(
    ("messages", "index", "ids"),
    [
        ([TWO], 2, "call_a, call_b"),
        ([TWO, A], 3, "call_b"),
        ([TWO, B], 3, "call_a"),
        ([TWO, A, USER, B], 3, "call_b"),
        ([TWO, A, TWO, A, B], 3, "call_b"),
        ([TWO, {"role": "assistant", "content": "Done."}], 2, "call_a, call_b"),
    ],
)
def test_an_unanswered_call_is_refused_by_its_id(
    messages: list[Any], index: int, ids: str
) -> None:
    found = refusal(request(*messages))
    assert (found.rule, found.text) == ("every_call_is_answered", UNANSWERED + ids)
    assert (found.message, found.param) == (index, f"messages.[{index}].role")


def test_a_result_under_an_unknown_id_is_refused() -> None:
    assert refusal(request(TWO, A, result("call_c"))) == Refusal(
        "result_names_a_call_just_made",
        "Invalid parameter: 'tool_call_id' of 'call_c' not found in 'tool_calls' of "
        "previous message.",
        "messages.[3].tool_call_id",
        3,
    )


def test_a_result_of_an_earlier_message_is_unknown_in_a_later_one() -> None:
    later = asking(call("refund", id="call_z"))
    assert refusal(request(TWO, A, B, later, A)).rule == "result_names_a_call_just_made"


def test_a_call_that_is_answered_twice_is_refused() -> None:
    assert refusal(request(TWO, A, A, B)) == Refusal(
        "call_is_answered_once",
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_a', in "
        "messages[2] and messages[3].",
        "messages.[3].tool_call_id",
        3,
    )


@pytest.mark.parametrize("id", [None, "", 5, "absent"])
def test_a_result_without_an_id_is_refused(id: Any) -> None:
    message = result(id)
    if id == "absent":
        del message["tool_call_id"]
    assert refusal(request(asking(call("refund")), message)) == Refusal(
        "result_names_its_call", NO_ID, "messages.[2].tool_call_id", 2
    )
