"""A run as it reads: what was sent, what the model said, and how it ended."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labkit.checking.ending import STOPPED, said
from labkit.checking.evidence import AskedCall, Evidence, Message, Request, read_message
from labkit.display.face import Face, rendered
from labkit.display.report import one_line, visible
from labkit.errors import LabError
from labkit.replay.recording import Recording, Turn

# What a tool said may be long, and so may a prompt; an answer is always shown whole.
LONGEST = {"tool": 300, "system": 600}
RESULTS = {
    "ok": "a good one",
    "error": "an error that says what is wrong",
    "useless_error": "an error that says nothing",
    "denied": "a refusal",
    "cut": "cut short",
}


@dataclass(frozen=True)
class Line:
    """One line of a conversation: who speaks, what, and under which call id.

    `who` is "" for a line that heads what follows.
    """

    who: str
    what: str
    id: str = ""


def conversation(seen: Evidence, notes: list[str]) -> Face:
    """One run of an agent, drawn request by request; `notes` stand above it."""
    lines = [Line("", f"note: {note}") for note in notes]
    return drawn([*lines, *_run_lines(seen)])


def recorded(recording: Recording) -> Face:
    """What is on file: the question, and the model's replies in order."""
    origin = recording.header["origin"]
    lines = [
        Line("", f"{recording.header['title']} ({recording.name}, {origin})"),
        Line("user", recording.question),
    ]
    for number, turn in enumerate(recording.turns, 1):
        lines.append(Line("", f"reply {number}{_usage(turn)}"))
        lines += _turn_lines(turn)
    return drawn(lines)


def drawn(lines: list[Line]) -> Face:
    """Lines with both faces."""
    text = "\n".join(_as_text(line) for line in lines)
    html = rendered("conversation.html", lines=lines, shown=_short)
    return Face(text, html)


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
    html = rendered("reply.html", body=json.dumps(body, indent=2), paths=paths)
    return Face("\n".join(lines), html)


def _run_lines(seen: Evidence) -> Iterator[Line]:
    before: list[Message] = []
    kept: Message | None = None
    for request in seen.requests:
        again = request.messages[: len(before)] == before
        first = len(before) if again else 0
        new = request.messages[first:]
        count = _count(len(request.messages), "message")
        yield Line("", f"request {request.number}: {count}, {len(new)} new")
        for number, message in enumerate(new, first + 1):
            yield from _message_lines(number, message, kept)
        yield from _answer_lines(request)
        yield from _deed_lines(seen, request)
        before, kept = request.messages, request.reply
    result = seen.result or {}
    if result.get("answer") and result.get("stopped_by") != "answered":
        yield Line("answer", str(result["answer"]))
    yield Line("", ending(seen))


def _message_lines(
    number: int, message: Message, kept: Message | None
) -> Iterator[Line]:
    """A message that was sent; the model's own, sent back, is not drawn twice."""
    who = f"{number} {message.role}"
    if kept and message.role == "assistant" and message.same_as(kept):
        yield Line(who, "(the reply above, as it came)")
        return
    if message.text or not message.calls:
        yield Line(who, message.text, message.call_id)
    for call in message.calls:
        yield Line(who, _asks(call), call.id)


def _answer_lines(request: Request) -> Iterator[Line]:
    if request.refusal:
        yield Line("refused", request.refusal["text"])
    elif request.reply is None:
        yield Line("server", _server_words(request.failure or {}))
    else:
        yield from _reply_lines(request.reply)


def _deed_lines(seen: Evidence, request: Request) -> Iterator[Line]:
    """What a person said, and what money moved, before the next request."""
    for event in seen.after(request):
        if event["event"] == "approval":
            said = "approves" if event["approved"] else "denies"
            yield Line("person", f"{said} {event['tool']}({json.dumps(event['args'])})")
        if event["event"] == "ledger":
            yield Line("ledger", f"{event['amount']} paid back on {event['order_id']}")


def _reply_lines(reply: Message) -> Iterator[Line]:
    if reply.text or not reply.calls:
        yield Line("reply", reply.text or "(nothing)")
    for call in reply.calls:
        yield Line("reply", _asks(call), call.id)


def _turn_lines(turn: Turn) -> Iterator[Line]:
    for option in turn.get("any", [turn]):
        if "any" in turn:
            yield Line("", f"  {_when(option)}:")
        body = option.get("body")
        choices = body.get("choices") if isinstance(body, dict) else None
        if choices:
            yield from _reply_lines(read_message(choices[0].get("message")))
        else:
            yield Line("server", _server_words(option))


def _when(option: Turn) -> str:
    """When the model answers so, in words."""
    kind = option.get("when", {}).get("last_tool_result")
    return f"if the last tool result is {RESULTS[kind]}" if kind else "otherwise"


def _server_words(turn: Turn) -> str:
    """What came back in place of a message: a status and a text, or nothing at all."""
    if "sse" in turn:
        return "the connection broke off"
    body = turn.get("body")
    error = body.get("error") if isinstance(body, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    text = words or (body if isinstance(body, str) else json.dumps(body))
    return f"status {turn.get('status', 200)}: {visible(str(text))}"


def ending(seen: Evidence) -> str:
    """How a run ended, in a line."""
    if seen.stopped:
        return f"stopped by the lab: {STOPPED[seen.stopped]}"
    if seen.raised:
        where = f" ({seen.raised['line']})" if seen.raised["line"] else ""
        return f"raised {seen.raised['type']}: {seen.raised['message']}{where}"
    result = seen.result
    if result is None:
        return f"gave back {said(seen.returned)}"
    tools = _count(len(seen.tool_runs), "tool run")
    spent = f"{_count(result['steps'], 'step')}, {tools}, {result['tokens']} tokens"
    return f"{result['stopped_by']}: {spent}"


def _count(number: Any, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _asks(call: AskedCall) -> str:
    return f"asks {call.name}({call.arguments})"


def _usage(turn: Turn) -> str:
    body = turn.get("body")
    usage = body.get("usage") if isinstance(body, dict) else None
    if not usage:
        return ""
    return f": {usage['prompt_tokens']} tokens in, {usage['completion_tokens']} out"


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


def _as_text(line: Line) -> str:
    if not line.who:
        return visible(line.what)
    id = f"  [{line.id}]" if line.id else ""
    return f"  {line.who:<12} {_short(line)}{id}"


def _short(line: Line) -> str:
    text, longest = one_line(line.what), LONGEST.get(line.who.split()[-1])
    if longest is None or len(text) <= longest:
        return text
    tail = longest // 3  # the end says more than the middle: a marker may stand there
    return f"{text[: longest - tail]} … {text[-tail:]}"
