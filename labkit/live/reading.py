"""What came over HTTP, as a turn of a recording, and what can be read off a turn."""

import json
import re
from typing import Any

from labkit.display.report import visible
from labkit.replay.recording import Turn

# What is kept of an answer's headers: never a cookie, an account or an address.
ALLOWED = (
    "content-type",
    "openai-processing-ms",
    "retry-after",
    "retry-after-ms",
    "x-request-id",
    "x-should-retry",
)
STREAM = "text/event-stream"
DONE = "data:[DONE]"


def turn_of(status: int, headers: dict[str, str], text: str, whole: bool) -> Turn:
    """The turn that replays as this answer; `whole` says that it came to its end.

    JSON is kept as its value, anything else as its text, a stream event by event.
    """
    kept = dict(headers)
    kind = kept.pop("content-type", "").partition(";")[0].strip().lower()
    turn: Turn = {} if status == 200 else {"status": status}
    if kind == STREAM and status == 200:
        turn, usual = _stream(text, whole), STREAM
    else:
        turn["body"] = body = _value(text)
        usual = "text/html" if isinstance(body, str) else "application/json"
    if kind != usual:  # a replay sends the usual one by itself
        kept = {"content-type": kind or "application/octet-stream"} | kept
    return turn | ({"headers": kept} if kept else {})


def _stream(text: str, whole: bool) -> Turn:
    """The events as they came, without the half of one where a connection broke."""
    events = re.split(r"\r\n\r\n|\n\n|\r\r", text)
    last = events.pop()
    events = [event.strip("\r\n") for event in [*events, last if whole else ""]]
    events = [event for event in events if event]
    for number, event in enumerate(events):
        if event.replace(" ", "") == DONE:
            return {"sse": events[:number], "end": "done"}
    return {"sse": events, "end": "eof" if whole else "reset"}


def _value(text: str) -> Any:
    """The JSON object or list that a text is, or else the text.

    So is an object whose `choices` nobody can read: its text is what a client gets.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    choices = value.get("choices") if isinstance(value, dict) else None
    listed = choices if isinstance(choices, list | None) else [choices]
    odd = any(not isinstance(choice, dict) for choice in listed or [])
    return value if isinstance(value, dict | list) and not odd else text


def has_reply(turn: Turn) -> bool:
    """Whether there is something of a model's in a turn: a message, or a stream."""
    body = turn.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    return turn.get("status", 200) == 200 and bool(choices or turn.get("sse"))


def words(turn: Turn) -> str:
    """What an error says of itself, on one line."""
    body = turn.get("body")
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return visible(str(message or json.dumps(body))).rstrip(".")


def models_in(turn: Turn) -> set[str]:
    """The models that a turn says it is from: one, as a rule."""
    texts = [event.removeprefix("data:") for event in turn.get("sse", [])]
    bodies = [turn.get("body"), *map(_value, texts)]
    models = (body.get("model") for body in bodies if isinstance(body, dict))
    return {model for model in models if isinstance(model, str) and model}
