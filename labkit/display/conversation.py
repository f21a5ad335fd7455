"""A run as it reads: what was sent, what the model said, and how it ended."""

import json
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

from labkit.checking.evidence import AskedCall, Evidence, Message, Request
from labkit.display.endings import ending, refused_by, server_words, why_ended
from labkit.display.face import Face, rendered
from labkit.display.report import visible
from labkit.display.shown import clipped, fitting, legible, raw_json, short_line
from labkit.display.transcript import Entry, Exchange, transcript
from labkit.quantity import quantity

# What a tool said may be long, and so may a prompt; an answer is shown whole.
LONGEST = {"tool": 300, "system": 600}
LONG = 4000
MOST_CALLS = 30
MOST_BYTES = 150_000
# How much of each text, and how many characters of each JSON: as much as fits.
DETAIL = [(1.0, 4000), (1.0, 800), (0.5, 300), (0.2, 0)]


def conversation(seen: Evidence, notes: list[str]) -> Face:
    """One run of an agent, drawn request by request; `notes` stand above it.

    In HTML one may walk from request to request, and sees what is sent again.
    """
    exchanges = transcript(seen)
    heads = [visible(f"note: {note}") for note in notes]
    parts = ["\n".join(_lines(seen, exchange)) for exchange in exchanges]
    text = [*heads, *fitting(parts, MOST_BYTES, "request"), *_end_lines(seen)]
    return Face("\n".join(text), _as_html(seen, exchanges, heads))


def drawn(seen: Evidence) -> str:
    """The HTML of a run without its text, for a page on which nobody reads that."""
    return _as_html(seen, transcript(seen), [])


def sentence(text: str) -> Face:
    """A sentence in a conversation's place."""
    return Face(visible(text), rendered("sentence.html", text=visible(text)))


def asks(call: AskedCall) -> str:
    """A call in words."""
    return f"asks {call.name}({call.arguments})"


def deeds(seen: Evidence, request: Request) -> Iterator[tuple[str, str]]:
    """Who did what before the next request: a person's word, and money that moved."""
    for event in seen.after(request):
        if event["event"] == "approval":
            word = "approves" if event["approved"] else "denies"
            yield "person", f"{word} {event['tool']}({json.dumps(event['args'])})"
        if event["event"] == "ledger":
            yield "ledger", f"{event['amount']} paid back on {event['order_id']}"


def line(who: str, what: str, id: str = "") -> str:
    """One line of the text: who speaks, what, and under which call id."""
    longest = LONGEST.get(who.rpartition(" ")[2], LONG)
    return (
        f"  {who:<12} {short_line(what, longest)}{f'  [{visible(id)}]' if id else ''}"
    )


def message_lines(who: str, message: Message) -> Iterator[str]:
    """A message as lines: its text, then its calls."""
    if message.text or not message.calls:
        yield line(who, message.text or "(nothing)", message.call_id)
    for call in message.calls[:MOST_CALLS]:
        yield line(who, asks(call), call.id)
    if (more := len(message.calls) - MOST_CALLS) > 0:
        yield line(who, f"and {quantity(more, 'more call')}")


def _lines(seen: Evidence, exchange: Exchange) -> Iterator[str]:
    """A request, what came back, and what was done then, as lines."""
    request = exchange.request
    yield exchange.heading
    for entry in exchange.new:
        who = f"{entry.number} {visible(entry.message.role)}"
        if entry.kind == "reply":
            yield line(who, "(the reply above, as it came)")
            continue
        yield from message_lines(who, entry.message)
        if entry.note:
            yield line("", f"({entry.note})")
    if request.refusal:
        yield line("refused", request.refusal["text"])
        yield line("", refused_by(request))
    elif request.reply is None:
        yield line("server", server_words(request.failure or {}))
    else:
        yield from message_lines("reply", request.reply)
    for who, what in deeds(seen, request):
        yield line(who, what)


def _end_lines(seen: Evidence) -> Iterator[str]:
    """How a run ended and why; an answer that is not the model's last words, too."""
    if answer := _own_answer(seen):
        yield line("answer", answer)
    yield visible(ending(seen))
    if why := why_ended(seen):
        yield f"  {visible(why)}"


def _own_answer(seen: Evidence) -> str:
    """The answer of a run that did not end with the model's."""
    result = seen.result or {}
    return str(result["answer"]) if _differs(result) else ""


def _differs(result: dict[str, Any]) -> bool:
    return bool(result.get("answer")) and result.get("stopped_by") != "answered"


def _as_html(seen: Evidence, exchanges: list[Exchange], heads: list[str]) -> str:
    """The whole as HTML, with as much of each message as fits."""
    name = f"labkit-{token_hex(4)}"  # radio buttons of two conversations stay apart
    most = max((e.tokens or (0, 0))[0] for e in exchanges) if exchanges else 0
    sections: list[str] = []
    for share, raw in DETAIL:
        shown = Shown(share, raw)
        sections = [
            rendered(
                "exchange.html",
                name=name,
                exchange=exchange,
                deeds=list(deeds(seen, exchange.request)),
                bar=_bar(exchange, most),
                walk=len(exchanges) > 1,
                shown=shown,
            )
            for exchange in exchanges
        ]
        if sum(map(len, sections)) <= MOST_BYTES:
            break
    return rendered(
        "conversation.html",
        name=name,
        notes=heads,
        sections=fitting(sections, MOST_BYTES, "request"),
        rules=_missing_rules(name, exchanges),
        walk=len(exchanges) > 1,
        answer=legible(clipped(_own_answer(seen), LONG)),
        ending=visible(ending(seen)),
        why=visible(why_ended(seen)),
    )


class Shown:
    """How the texts of a conversation are shown; `share` and `raw` say how much."""

    def __init__(self, share: float, raw: int) -> None:
        self.share = share
        self.raw = raw

    def text(self, text: str, role: str = "") -> str:
        """A message's text."""
        return legible(clipped(text, int(LONGEST.get(role, LONG) * self.share)))

    def json(self, value: Any) -> str:
        """A message's JSON; "" where there is no room for it."""
        return raw_json(value, self.raw) if self.raw else ""

    line = staticmethod(visible)
    refused_by = staticmethod(refused_by)
    server_words = staticmethod(server_words)
    most_calls = MOST_CALLS
    most_new = 40

    def others(self, exchange: Exchange) -> list[Entry]:
        """The new messages that do not stand with the reply before."""
        return [entry for entry in exchange.new if not entry.kind]


def _bar(exchange: Exchange, most: int) -> tuple[int, int]:
    """The width of a request, in percent of the largest, and of what is sent again."""
    size = 100 * exchange.tokens[0] // most if exchange.tokens and most else 0
    return size, 100 * exchange.again // max(1, len(exchange.request.messages))


def _missing_rules(name: str, exchanges: list[Exchange]) -> list[str]:
    """For each request that lacks earlier messages, CSS selectors of those."""
    rules: list[str] = []
    for exchange in exchanges:
        if exchange.missing and len(rules) < 50:
            lacks = ",".join(f".e{entry.index}" for entry in exchange.missing[:100])
            at = f"#{name}-{exchange.request.number}:checked"
            rules.append(f".part:has(~ {at}) :is({lacks})")
    return rules
