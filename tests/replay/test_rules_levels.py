"""What only some servers refuse is refused at their level and at no other."""

from typing import Any

import pytest

from labkit.replay.rules import LEVELS, find_fault
from tests.agent.turns import call
from tests.replay.conversations import asking, request, result

CALL = call("refund")
SIGNED = CALL | {"extra_content": {"google": {"thought_signature": "x"}}}
ASKED = {
    "strict": asking(call("refund", "[1]")),
    "no_empty_text": asking(CALL, content=""),
    "reasoning": asking(CALL),
    "signatures": asking(CALL),
}
KEPT: dict[str, list[dict[str, Any]]] = {
    "strict": [asking(CALL)],
    "no_empty_text": [
        asking(CALL, content=None),
        asking(CALL, content="Hm."),
        {"role": "assistant", "tool_calls": [CALL]},
    ],
    "reasoning": [asking(CALL, reasoning_content="Because.")],
    "signatures": [asking(SIGNED)],
}
RULES = {
    "strict": "arguments_are_an_object",
    "no_empty_text": "text_is_not_empty",
    "reasoning": "reasoning_is_kept",
    "signatures": "signature_is_kept",
}
each = pytest.mark.parametrize("level", ASKED)


def test_every_level_has_its_rule() -> None:
    assert [*LEVELS] == ["openai", *RULES]


@each
def test_what_a_server_misses_is_refused_at_its_level(level: str) -> None:
    found = find_fault(request(ASKED[level], result()), level)
    assert found
    assert (found.rule, found.message) == (RULES[level], 1)


@each
def test_the_usual_level_does_not_miss_it(level: str) -> None:
    assert find_fault(request(ASKED[level], result()), "openai") is None


@each
def test_what_was_kept_is_accepted(level: str) -> None:
    for message in KEPT[level]:
        assert find_fault(request(message, result()), level) is None


@each
def test_a_message_without_calls_owes_nothing(level: str) -> None:
    assert find_fault(request({"role": "assistant", "content": ""}), level) is None


def test_each_call_needs_its_own_signature() -> None:
    calls = asking(SIGNED, call("refund", id="call_2"))
    assert find_fault(request(calls, result(), result("call_2")), "signatures")
