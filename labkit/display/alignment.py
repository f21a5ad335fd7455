"""Two runs compared request by request, as a check would compare them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labkit.checking.ending import said
from labkit.checking.evidence import Evidence, Message, Request, read_message
from labkit.display.endings import ending, refused_by, server_words
from labkit.display.transcript import raw_requests
from labkit.quantity import quantity
from labkit.replay.reactions import last_tool_result

SYSTEM = ("system", "developer")


@dataclass(frozen=True)
class Row:
    """One message of each run at the same place; None where a run has none there.

    `name` says which place: "sent", "message 4", "what came back", "tools run then".
    """

    name: str
    mine: str | None
    right: str | None
    same: bool


@dataclass(frozen=True)
class Pair:
    """One request of each run, in rows; the first `alike` messages need none."""

    title: str
    rows: list[Row]
    alike: int = 0

    @property
    def first(self) -> Row | None:
        """The first row in which the two differ, or None."""
        return next((row for row in self.rows if not row.same), None)


def pairs(seen: Evidence, right: Evidence) -> Iterator[Pair]:
    """The requests of both runs in order, and last what came back from the run."""
    sent = _compared(seen, right), raw_requests(right)
    for n in range(most_requests(seen, right)):
        mine, theirs = _at(seen, n), _at(right, n)
        raw = [run[n] if n < len(run) else [] for run in sent]
        alike = _alike(raw[0], raw[1]) if mine and theirs else 0
        rows = [
            _sent_row(mine, theirs),
            *(_message_rows(raw[0], raw[1], alike) if mine and theirs else ()),
            _row("what came back", _came_back(mine), _came_back(theirs)),
            _row("tools run then", _ran(seen, mine), _ran(right, theirs)),
        ]
        yield Pair(f"request {n + 1}", rows, alike)
    yield Pair("the end", _end_rows(seen, right))


def most_requests(seen: Evidence, right: Evidence) -> int:
    """How many requests the longer of two runs made."""
    return max(len(seen.requests), len(right.requests))


def same_message(mine: list[Any], theirs: list[Any], place: int) -> bool:
    """Whether two requests hold the same message at a place, as checks see it.

    A system prompt may say more. Of results only what the model can make of them
    counts: they may be spelled otherwise, and an error, a refusal or a cut may be told
    in other words.
    """
    if mine[place] == theirs[place]:
        return True
    one, other = read_message(mine[place]), read_message(theirs[place])
    if {one.role, other.role} <= set(SYSTEM):
        return other.text.strip() in one.text
    if one.same_as(other) and one.call_id == other.call_id:
        return True
    if {one.role, other.role} != {"tool"} or one.call_id != other.call_id:
        return False
    if _spelled(one.text) == _spelled(other.text):
        return True
    kinds = [_kind(messages, place) for messages in (mine, theirs)]
    return kinds[0] == kinds[1] and kinds[0] != "ok"


def message_words(message: Message) -> str:
    """A message in words: who, under which id, its text and calls."""
    calls = [f"asks {c.name}({c.arguments}) as {c.id}" for c in message.calls]
    id = f" [{message.call_id}]" if message.call_id else ""
    if message.role == "tool" and not id:
        id = " (without tool_call_id)"
    said_ = [message.text] if message.text or not calls else []
    return f"{message.role}{id}: {'; '.join(said_ + calls)}"


def _alike(mine: list[Any], theirs: list[Any]) -> int:
    """How many messages are the same, from the first on."""
    most = min(len(mine), len(theirs))
    differ = (n for n in range(most) if not same_message(mine, theirs, n))
    return next(differ, most)


def _message_rows(mine: list[Any], theirs: list[Any], alike: int) -> list[Row]:
    """The messages of two requests, place by place, without those alike before."""
    rows = []
    for place in range(alike, max(len(mine), len(theirs))):
        here = [
            message_words(read_message(run[place])) if place < len(run) else None
            for run in (mine, theirs)
        ]
        same = None not in here and same_message(mine, theirs, place)
        rows.append(Row(f"message {place + 1}", here[0], here[1], same))
    return rows


def _sent_row(mine: Request | None, theirs: Request | None) -> Row:
    """What was sent beside messages: whether at all, and with which tools."""
    sent = [
        f"{_how_many(one.messages, 'message')}, {quantity(len(one.tools), 'tool')}"
        if one
        else None
        for one in (mine, theirs)
    ]
    same = bool(mine and theirs and set(mine.tools) == set(theirs.tools))
    return Row("sent", sent[0], sent[1], same)


def _how_many(sent: list[Any], what: str) -> str:
    return quantity(len(sent), what) if sent else f"no list of {what}s"


def _row(name: str, mine: str | None, right: str | None) -> Row:
    return Row(name, mine, right, mine == right)


def _came_back(request: Request | None) -> str | None:
    if request is None:
        return None
    if request.refusal:
        return f"refused ({refused_by(request)}): {request.refusal['text']}"
    if request.reply is None:
        return server_words(request.failure or {})
    return message_words(request.reply)


def _ran(seen: Evidence, request: Request | None) -> str | None:
    """The tools that ran before the next request, in any order."""
    if request is None:
        return None
    runs = [e for e in seen.after(request) if e["event"] == "tool_started"]
    told = sorted(f"{e['tool']}({json.dumps(e['args'])})" for e in runs)
    return ", ".join(told) or "none"


def _end_rows(seen: Evidence, right: Evidence) -> list[Row]:
    """How the two runs ended, as far as that can be compared."""
    mine, theirs = seen.result, right.result
    if mine is None and theirs is None:
        return []
    if mine is None or theirs is None:
        return [Row("what run gave back", ending(seen), ending(right), False)]
    names = ["stopped_by", "steps"]
    names += ["answer"] if theirs.get("stopped_by") == "answered" else []
    both = [(name, _plain(mine.get(name)), _plain(theirs.get(name))) for name in names]
    return [Row(f"result.{n}", said(a, 300), said(b, 300), a == b) for n, a, b in both]


def _plain(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _at(seen: Evidence, n: int) -> Request | None:
    return seen.requests[n] if n < len(seen.requests) else None


def _kind(messages: list[Any], place: int) -> str:
    """What kind of result stands at a place."""
    try:
        return last_tool_result({"messages": messages[: place + 1]}) or "ok"
    except (AttributeError, KeyError, TypeError):  # what was sent is no conversation
        return "ok"


def _compared(seen: Evidence, right: Evidence) -> list[list[Any]]:
    """The messages of each request, without system messages that add a reminder."""
    first = right.requests[0].messages if right.requests else []
    prompts = [m.text.strip() for m in first if m.role in SYSTEM]

    def counts(raw: Any) -> bool:
        if not (prompts and isinstance(raw, dict) and raw.get("role") in SYSTEM):
            return True
        return any(prompt in read_message(raw).text for prompt in prompts)

    return [[raw for raw in sent if counts(raw)] for sent in raw_requests(seen)]


def _spelled(text: str) -> str:
    """The text without what quoting and spacing change."""
    return "".join(c for c in text if c.isalnum() or c in ".-").casefold()
