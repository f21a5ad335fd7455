"""A run as data: what each request sent, what of it was new, and what came back."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from labkit.checking.evidence import Evidence, Message, Request, read_message
from labkit.quantity import quantity


@dataclass(frozen=True)
class Entry:
    """A message where it was sent first: its number there, from 1, and its JSON.

    `index` counts the entries of a run. `kind` says how it goes with the reply before:
    "reply" is that reply as it came, "result" answers one of its calls, "" neither;
    `note` is then what is odd about it, if anything.
    """

    index: int
    number: int
    message: Message
    raw: Any
    kind: str = ""
    note: str = ""


@dataclass
class Exchange:
    """One request and what came back.

    `new` are the messages not sent before, `again` counts the others, and `missing` are
    those of earlier requests that this one lacks. `tokens` are in and out, None where
    no usage was told. `raw_reply` is the reply's JSON; `kept` is that reply as the next
    request sent it back, and `results` are its answers, one for each call that has one.
    """

    request: Request
    new: list[Entry]
    again: int
    missing: list[Entry]
    tokens: tuple[int, int] | None = None
    raw_reply: Any = None
    kept: Entry | None = None
    results: dict[int, Entry] = field(default_factory=dict)
    is_last: bool = False

    @property
    def heading(self) -> str:
        """Number, messages and tokens of the request, in a line."""
        sizes = [quantity(len(self.request.messages), "message")]
        sizes += [f"{self.again} sent again"] if self.again else []
        sizes.append(f"{len(self.new)} new")
        sizes += [f"{len(self.missing)} left out"] if self.missing else []
        return f"request {self.request.number}: {', '.join(sizes)}; {self.cost}"

    @property
    def cost(self) -> str:
        """The tokens in and out; in words, where there are none."""
        if self.tokens:
            return tokens_told(self.tokens)
        if self.request.refusal:
            return "refused"
        return "no usage told" if self.request.reply else "no reply"


def transcript(seen: Evidence) -> list[Exchange]:
    """The exchanges of a run, in order; each message is an entry once."""
    turns = {
        event["number"]: event["turn"]
        for event in seen.events
        if event["event"] == "reply"
    }
    reader = _Reader()
    exchanges: list[Exchange] = []
    for request, raw in zip(seen.requests, raw_requests(seen)):
        before = exchanges[-1] if exchanges else None
        exchange = reader.read(request, raw, before)
        turn = turns.get(request.number, {})
        exchange.tokens, exchange.raw_reply = usage(turn), raw_message(turn)
        exchanges.append(exchange)
    if exchanges:
        exchanges[-1].is_last = True
    return exchanges


def raw_requests(seen: Evidence) -> list[list[Any]]:
    """The messages of each request as they were sent."""
    messages: list[Any] = []
    found = []
    for event in seen.events:
        if event["event"] == "request":
            messages = event.get("rewritten", messages + event.get("added", []))
            found.append(messages)
    return found


def usage(turn: dict[str, Any]) -> tuple[int, int] | None:
    """The tokens in and out that a turn tells, or None."""
    body = turn.get("body")
    told = body.get("usage") if isinstance(body, dict) else None
    told = told if isinstance(told, dict) else {}
    both = told.get("prompt_tokens"), told.get("completion_tokens")
    if isinstance(both[0], int) and isinstance(both[1], int):
        return both[0], both[1]
    return None


def raw_message(turn: dict[str, Any]) -> Any:
    """The message in a turn, as JSON; None where it holds none."""
    body = turn.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    return choices[0].get("message") if choices else None


def tokens_told(tokens: tuple[int, int]) -> str:
    """Tokens in and out, in words."""
    return f"{tokens[0]} tokens in, {tokens[1]} out"


class _Reader:
    """Reads requests in order, and knows which messages it has met."""

    def __init__(self) -> None:
        self.met: defaultdict[str, list[Entry]] = defaultdict(list)
        self.count = 0
        self.keys: dict[int, str] = {}
        self.asked_in: dict[str, int] = {}

    def read(
        self, request: Request, raw: list[Any], before: Exchange | None
    ) -> Exchange:
        """The exchange of a request, without what came back."""
        here: Counter[str] = Counter()
        new = []
        for number, message in enumerate(raw, 1):
            key = self._key(message)
            here[key] += 1
            if here[key] > len(self.met[key]):
                entry = self._entry(number, message, before)
                self.met[key].append(entry)
                new.append(entry)
        missing = [e for key, met in self.met.items() for e in met[here[key] :]]
        for call in request.reply.calls if request.reply else ():
            self.asked_in[call.id] = request.number
        return Exchange(request, new, len(raw) - len(new), missing)

    def _entry(self, number: int, raw: Any, before: Exchange | None) -> Entry:
        message = read_message(raw)
        kind, note = "", ""
        reply = before.request.reply if before else None
        if message.role == "assistant":
            if before and reply and not before.kept and message.same_as(reply):
                kind = "reply"
            elif reply:
                note = "not as the model said it"
        elif message.role == "tool":
            kind, note = self._result_of(message, before)
        entry = Entry(self.count, number, message, raw, kind, note)
        self.count += 1
        if before and kind == "reply":
            before.kept = entry
        elif before and kind == "result":
            before.results[_unanswered(before, message.call_id)] = entry
        return entry

    def _result_of(self, message: Message, before: Exchange | None) -> tuple[str, str]:
        if before and _unanswered(before, message.call_id) >= 0:
            return "result", ""
        if asked_in := self.asked_in.get(message.call_id):
            return "", f"a result for reply {asked_in}"
        return "", "answers no call" if message.call_id else "names no call"

    def _key(self, message: Any) -> str:
        """What tells a message from others; the same object is read but once."""
        if id(message) not in self.keys:
            self.keys[id(message)] = json.dumps(message, sort_keys=True)
        return self.keys[id(message)]


def _unanswered(exchange: Exchange, id: str) -> int:
    """The place of the first call with this id that has no result yet, or -1."""
    calls = exchange.request.reply.calls if exchange.request.reply else ()
    places = (
        n for n, c in enumerate(calls) if c.id == id and n not in exchange.results
    )
    return next(places, -1)
