"""The shorter way through the client sends what the long way sends."""

import json
from typing import Any

import openai
import pytest
from openai.resources.chat.completions import completions

from labkit.replay.shortcut import take_the_shortcut
from labkit.replay.transport import client_for
from labkit.shop import TOOLS

CALL = {"name": "calculator", "arguments": "{}"}
MESSAGE = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "call_1", "type": "function", "function": CALL}],
    "unknown": {"kept": [1, None, True]},
}
REQUESTS: list[dict[str, Any]] = [
    {"messages": [{"role": "user", "content": "Hello"}], "tools": TOOLS},
    {"messages": [MESSAGE], "tools": openai.omit, "temperature": 0.5, "timeout": 9},
    {"messages": (MESSAGE,), "stop": ("a", "b")},
    {"messages": [openai.types.chat.ChatCompletionMessage(role="assistant")]},
]


@pytest.fixture
def shortcut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test does to the client is undone after it."""
    monkeypatch.setattr(completions, "maybe_transform", completions.maybe_transform)


def sent(request: dict[str, Any]) -> dict[str, Any]:
    requests: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        requests.append(request)
        return {"body": {"choices": []}}

    client_for(answer).chat.completions.create(model="any", **request)
    return requests[0]


@pytest.mark.usefixtures("shortcut")
@pytest.mark.parametrize("number", range(len(REQUESTS)))
def test_a_request_is_the_same_on_both_ways(number: int) -> None:
    request = REQUESTS[number]
    long = sent(request)
    take_the_shortcut()
    assert json.dumps(sent(request), sort_keys=True) == json.dumps(long, sort_keys=True)


@pytest.mark.usefixtures("shortcut")
def test_a_client_without_the_walk_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(completions, "maybe_transform")
    take_the_shortcut()
    assert not hasattr(completions, "maybe_transform")
