"""The views of evidence that checks read."""

import pytest

from labkit.authoring.verify import reference
from labkit.checking.evidence import Evidence, Message, read_message
from labkit.checking.place import Here
from labkit.checking.scenario import only, run
from labkit.checking.world import World

CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def performed(**how: object) -> Evidence:
    scenario = run("shipping_chain", part="step", **how)
    place = Here(reference(["step"]), ["step"])
    return place.perform(World(scenario))


def test_a_request_event_holds_only_what_is_new() -> None:
    seen = performed()
    added = [len(e["added"]) for e in seen.events if e["event"] == "request"]
    assert added == [2, 2, 2, 2]
    assert [len(request.messages) for request in seen.requests] == [2, 4, 6, 8]


def test_each_request_knows_its_reply() -> None:
    seen = performed()
    assert [request.reply for request in seen.requests] == seen.replies
    assert seen.requests[0].tools[0] == "lookup_order"


def test_a_stop_reason_and_the_trace_can_be_read() -> None:
    seen = performed(limits=only(steps=2))
    assert seen.result is not None
    assert seen.result["stopped_by"] == "step_budget"
    assert [line["tool"] for line in seen.trace] == ["lookup_order", "shipping_rate"]
    assert seen.stopped is None
    assert seen.seconds > 0


def test_the_same_conversation_gives_the_same_events_for_a_seed() -> None:
    def steady(seen: Evidence) -> list[object]:
        return [e for e in seen.events if e["event"] not in ("ended", "trace")]

    assert steady(performed()) == steady(performed())


def test_money_that_moves_stands_in_the_ledger() -> None:
    world = World(run("at_once", part="step"))
    order = world.functions["list_orders"](status="delivered")["orders"][0]["order_id"]
    world.answer(
        {"kind": "tool", "name": "refund", "args": {"order_id": order, "amount": 1.5}}
    )
    seen = Evidence(world.end())
    assert seen.ledger == [{"event": "ledger", "order_id": order, "amount": 1.5}]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "assistant", "content": "", "tool_calls": [CALL], "refusal": None},
        {"role": "assistant", "tool_calls": [CALL | {"extra": 1}]},
        {"role": "assistant", "content": [], "tool_calls": [CALL]},
    ],
)
def test_null_empty_and_absent_are_the_same(message: object) -> None:
    expected = read_message({"role": "assistant", "tool_calls": [CALL]})
    assert read_message(message) == expected


@pytest.mark.parametrize("junk", [None, 5, "text", {"tool_calls": [None]}, {}])
def test_what_is_no_message_is_read_without_an_exception(junk: object) -> None:
    assert isinstance(read_message(junk), Message)


def test_arguments_may_be_spaced_anew_but_not_changed() -> None:
    def asked(arguments: str) -> Message:
        function = {"name": "f", "arguments": arguments}
        return read_message(
            {"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}
        )

    assert asked('{"a": 1, "b": 2}').same_as(asked('{"b":2,"a":1}'))
    assert not asked('{"a": 1}').same_as(asked('{"a": 2}'))
    assert not asked("{").same_as(asked("{{"))
