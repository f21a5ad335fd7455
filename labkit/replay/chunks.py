"""A reply as the stream a server would have sent it in."""

import json
from collections.abc import Iterator
from typing import Any

from labkit.replay.recording import Turn


def as_stream(request: dict[str, Any], turn: Turn) -> Turn:
    """The turn; where a request asks for a stream, the stream that says the same."""
    body = turn.get("body")
    if not request.get("stream") or turn.get("status", 200) != 200:
        return turn
    if not isinstance(body, dict) or not _messages(body):
        return turn
    chunks = _chunks(body, _wants_usage(request))
    return {"sse": [f"data: {json.dumps(chunk)}" for chunk in chunks], "end": "done"}


def _chunks(body: dict[str, Any], usage: bool) -> Iterator[dict[str, Any]]:
    """One chunk with each choice's message, one with its end, one with the usage."""
    kept = {key: body[key] for key in ("id", "created", "model") if key in body}
    chunk = kept | {"object": "chat.completion.chunk"}
    for choice in body["choices"]:
        said = {"index": choice.get("index", 0), "delta": _delta(choice["message"])}
        end = {"index": said["index"], "delta": {}}
        end["finish_reason"] = choice.get("finish_reason")
        yield chunk | {"choices": [said | {"finish_reason": None}]}
        yield chunk | {"choices": [end]}
    if usage and body.get("usage"):
        yield chunk | {"choices": [], "usage": body["usage"]}


def _messages(body: dict[str, Any]) -> bool:
    """Whether each choice has a message; an odd reply is sent as it is."""
    choices = body.get("choices")
    return bool(choices) and all(choice.get("message") for choice in choices or [])


def _delta(message: dict[str, Any]) -> dict[str, Any]:
    calls = message.get("tool_calls")
    if not calls:
        return message
    return message | {"tool_calls": [{"index": i} | c for i, c in enumerate(calls)]}


def _wants_usage(request: dict[str, Any]) -> bool:
    options = request.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))
