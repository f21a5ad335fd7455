"""What is on file: a recording's question and replies, and one reply in full."""

import json
from collections.abc import Iterator
from typing import Any

from labkit.checking.evidence import read_message
from labkit.display.conversation import Shown, line, message_lines
from labkit.display.endings import server_words
from labkit.display.face import Face, rendered
from labkit.display.report import visible
from labkit.display.shown import raw_json
from labkit.display.transcript import raw_message, tokens_told, usage
from labkit.errors import LabError
from labkit.replay.recording import Recording, Turn

LONG_BODY = 20_000
RESULTS = {
    "ok": "a good one",
    "error": "an error that says what is wrong",
    "useless_error": "an error that says nothing",
    "denied": "a refusal",
    "cut": "cut short",
}


def recorded(recording: Recording) -> Face:
    """What is on file: the question, and the model's replies in order."""
    origin = recording.header["origin"]
    title = visible(f"{recording.header['title']} ({recording.name}, {origin})")
    replies = [
        (heading(number, turn), turn) for number, turn in enumerate(recording.turns, 1)
    ]
    lines = [title, line("user", recording.question)]
    for head, turn in replies:
        lines += [head, *_turn_lines(turn)]
    html = rendered(
        "recorded.html",
        title=title,
        question=recording.question,
        replies=[(head, list(_options(turn))) for head, turn in replies],
        read_message=read_message,
        shown=Shown(1.0, 4000),
    )
    return Face("\n".join(lines), html)


def heading(number: int, turn: Turn) -> str:
    """A reply's number, and its tokens where usage is told."""
    told = usage(turn)
    return f"reply {number}" + (f": {tokens_told(told)}" if told else "")


def reply_as_json(recording: Recording, turn: int) -> Face:
    """One reply as the server sent it, and where the SDK keeps each part of it."""
    replies = len(recording.turns)
    if not 1 <= turn <= replies:
        raise LabError(f"{recording.name!r} has replies 1 to {replies}, none {turn}.")
    body = recording.turns[turn - 1].get("body", recording.turns[turn - 1])
    paths = list(_paths(body))
    width = max((len(path) for path, _ in paths), default=0)
    lines = [json.dumps(body, indent=2), ""]
    lines += [f"{path:<{width}}  {visible(value)}" for path, value in paths]
    html = rendered(
        "reply.html",
        body=raw_json(body, LONG_BODY),
        paths=[(path, visible(value)) for path, value in paths],
    )
    return Face("\n".join(lines), html)


def _turn_lines(turn: Turn) -> Iterator[str]:
    for when, words, message in _options(turn):
        if when:
            yield f"  {when}:"
        if message is None:
            yield line("server", words)
        else:
            yield from message_lines("reply", read_message(message))


def _options(turn: Turn) -> Iterator[tuple[str, str, Any]]:
    """Each way in which a turn may go: when, the server's words, or the message."""
    for option in turn.get("any", [turn]):
        when = _when(option) if "any" in turn else ""
        message = raw_message(option)
        yield when, "" if message else server_words(option), message


def _when(option: Turn) -> str:
    """When the model answers so, in words."""
    kind = option.get("when", {}).get("last_tool_result")
    return f"if the last tool result is {RESULTS[kind]}" if kind else "otherwise"


def _paths(body: Any, path: str = "completion") -> Iterator[tuple[str, str]]:
    """Each leaf of a reply by the attribute path under which the SDK keeps it."""
    if isinstance(body, dict):
        for key, value in body.items():
            yield from _paths(value, f"{path}.{key}")
    elif isinstance(body, list):
        for number, value in enumerate(body):
            yield from _paths(value, f"{path}[{number}]")
    else:
        yield path, repr(body)
