"""A recording written on the spot: somebody answers in the model's place."""

import json
from typing import Any

from labkit.errors import LabError
from labkit.replay.recording import Recording, Turn


def by_hand(question: str, replies: list[Any]) -> Recording:
    """A recording of replies given as texts, calls, or lists of calls.

    A call is `{"tool": name, …arguments…}`, or `{"tool": name, "arguments": "…"}` with
    the raw text, JSON or not. Raises LabError for anything else.
    """
    if not isinstance(replies, list):
        raise LabError("replies is a list: write [ and ] round it.")
    header = {"format": 1, "title": "by hand", "origin": "invented"}
    turns = [_turn(number, reply) for number, reply in enumerate(replies, 1)]
    return Recording("by_hand", header | {"question": question}, turns)


def _turn(number: int, reply: Any) -> Turn:
    if isinstance(reply, str):
        return _body(number, {"role": "assistant", "content": reply}, "stop")
    asked = reply if isinstance(reply, list) else [reply]
    calls = [_call(number, n, call) for n, call in enumerate(asked, 1)]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    return _body(number, message, "tool_calls")


def _call(reply: int, number: int, call: Any) -> dict[str, Any]:
    if not isinstance(call, dict) or not isinstance(call.get("tool"), str):
        raise LabError(
            f'reply {reply} is neither a text nor a call; write {{"tool": "…", …}}.'
        )
    given = {name: value for name, value in call.items() if name != "tool"}
    raw = given.get("arguments")
    arguments = raw if isinstance(raw, str) else json.dumps(given)
    function = {"name": call["tool"], "arguments": arguments}
    return {"id": f"call_{reply}_{number}", "type": "function", "function": function}


def _body(number: int, message: dict[str, Any], reason: str) -> Turn:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body = {"id": f"by-hand-{number}", "object": "chat.completion", "created": 0}
    return {"body": body | {"model": "you", "choices": [choice], "usage": None}}
