"""What the real providers accept is accepted, and only the strict level adds to it."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.replay.rules import find_fault
from tests.agent.turns import call, steady, tool
from tests.replay.conversations import CONVERSATIONS, USER, asking, request, result

PARTS = [{"type": "text", "text": "One, "}, {"type": "text", "text": "two."}]
CALL = call("refund")
BARE = {"role": "assistant", "tool_calls": [CALL]}
FINE: dict[str, dict[str, Any]] = {
    "content null": request(asking(CALL), result()),
    "content empty": request(asking(CALL, content=""), result()),
    "content absent": request(BARE, result()),
    "text beside calls": request(asking(CALL, content="Let me look."), result()),
    "null extras": request(asking(CALL, refusal=None, audio=None), result()),
    "unknown extras": request(asking(CALL, reasoning_content="Hm."), result()),
    "extras in a call": request(asking(CALL | {"index": 0, "more": {}}), result()),
    "no type in a call": request(
        asking({key: CALL[key] for key in ("id", "function")}), result()
    ),
    "tool_calls null": request(
        {"role": "assistant", "content": "Hi.", "tool_calls": None}
    ),
    "name in a result": request(asking(CALL), result(name="refund")),
    "empty result": request(asking(CALL), result(content="")),
    "text parts": request(
        {"role": "user", "content": PARTS}, asking(CALL), result(content=PARTS)
    ),
    "results in another order": request(
        asking(CALL, call("refund", id="call_2")), result("call_2"), result()
    ),
    "the same id in a later message": request(
        asking(CALL), result(), asking(CALL), result()
    ),
    "more system messages": request(
        USER | {"role": "system"}, USER | {"role": "system"}
    ),
    "a developer message": request(USER | {"role": "developer"}),
    "system message late": request(asking(CALL), result(), USER | {"role": "system"}),
    "two answers in a row": request(
        {"role": "assistant", "content": "Hm."}, {"role": "assistant", "content": "Hi."}
    ),
    "no tools": request(),
    "tools null": request(tools=None),
    "tool_choice auto": request(tools=[tool("refund")], tool_choice="auto"),
    "tool_choice required": request(tools=[tool("refund")], tool_choice="required"),
    "tool_choice object": request(
        tools=[tool("refund")],
        tool_choice={"type": "function", "function": {"name": "refund"}},
    ),
    "temperature": request(temperature=0, top_p=1, seed=7, stream=True),
    "an unknown field": request(made_up=True),
    "the longest name": request(tools=[tool("x" * 64)]),
    "a tool nobody declared": request(asking(CALL), result(), tools=[tool("other")]),
}
MALFORMED = ['{"a": 1}{"b": 2}', '{"a": ', "[1]", "null", "text", "", "[" * 100_000]
levels = pytest.mark.parametrize("level", ["openai", "strict"])


@levels
@pytest.mark.parametrize("asked", FINE.values(), ids=FINE.keys())
def test_what_is_accepted_always_is_accepted(asked: Any, level: str) -> None:
    assert find_fault(asked, level) is None


@pytest.mark.parametrize("raw", MALFORMED, ids=lambda raw: raw[:9])
def test_malformed_arguments_in_the_history_pass_at_openai(raw: str) -> None:
    assert find_fault(request(asking(call("refund", raw)), result())) is None


@pytest.mark.parametrize("raw", MALFORMED, ids=lambda raw: raw[:9])
def test_malformed_arguments_in_the_history_are_refused_at_strict(raw: str) -> None:
    asked = request(asking(CALL, call("refund", raw, "call_2")), result())
    found = find_fault(asked, "strict")
    assert found
    assert (found.rule, found.message) == ("arguments_are_an_object", 1)
    assert found.text == (
        "messages[1].tool_calls[1].function.arguments: must be a valid JSON object "
        "string"
    )


@levels
@steady
@given(asked=CONVERSATIONS)
def test_a_well_formed_conversation_is_never_refused(asked: Any, level: str) -> None:
    assert find_fault(asked, level) is None


@steady
@given(CONVERSATIONS)
def test_looking_at_a_request_does_not_change_it(asked: Any) -> None:
    before = copy.deepcopy(asked)
    find_fault(asked, "strict")
    assert asked == before


def places_of_results(asked: dict[str, Any]) -> list[int]:
    roles = [message["role"] for message in asked["messages"]]
    return [i for i, role in enumerate(roles) if role == "tool"]


WITH_RESULTS = CONVERSATIONS.filter(places_of_results)


@steady
@given(WITH_RESULTS, st.data())
def test_without_any_one_of_its_results_it_is_refused(
    asked: Any, data: st.DataObject
) -> None:
    lost = data.draw(st.sampled_from(places_of_results(asked)))
    id = asked["messages"].pop(lost)["tool_call_id"]
    found = find_fault(asked)
    assert found
    assert found.rule == "every_call_is_answered"
    assert found.text.endswith(f"response messages: {id}")


@steady
@given(WITH_RESULTS, st.data())
def test_with_the_id_of_any_one_result_changed_it_is_refused(
    asked: Any, data: st.DataObject
) -> None:
    message = asked["messages"][data.draw(st.sampled_from(places_of_results(asked)))]
    known = [m["tool_call_id"] for m in asked["messages"] if m["role"] == "tool"]
    others = st.sampled_from([*known, "call_new", "", None])
    was = message["tool_call_id"]
    message["tool_call_id"] = data.draw(others.filter(lambda id: id != was))
    assert find_fault(asked)


@steady
@given(WITH_RESULTS, st.data())
def test_with_any_one_result_sent_twice_it_is_refused(
    asked: Any, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(places_of_results(asked)))
    asked["messages"].insert(place, asked["messages"][place])
    found = find_fault(asked)
    assert found
    assert found.rule == "call_is_answered_once"
