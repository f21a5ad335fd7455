"""Evidence: what happened, in order, and the views of it that checks read."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from labkit.replay.reactions import text_of
from labkit.replay.rules import calls_in


@dataclass(frozen=True)
class AskedCall:
    """A tool call inside a message: its id, the tool's name, the raw arguments."""

    id: str
    name: str
    arguments: str

    def same_as(self, other: "AskedCall") -> bool:
        """Whether id, name and arguments are the same; JSON may be spaced anew."""
        mine, theirs = _parsed(self.arguments), _parsed(other.arguments)
        return (self.id, self.name, mine) == (other.id, other.name, theirs)


@dataclass(frozen=True)
class Message:
    """A message without what does not matter: null, empty and absent are the same."""

    role: str
    text: str
    calls: tuple[AskedCall, ...] = ()
    call_id: str = ""

    def same_as(self, other: "Message") -> bool:
        """Whether role, text and calls are the same."""
        return (
            (self.role, self.text.strip()) == (other.role, other.text.strip())
            and len(self.calls) == len(other.calls)
            and all(a.same_as(b) for a, b in zip(self.calls, other.calls))
        )


@dataclass(frozen=True)
class Request:
    """One request: its number from 1, all its messages, and what came back.

    `reply` is the model's message, or None where the request was refused or failed;
    `refusal` is then its event, with `rule`, `message` and `text`, or `failure` what
    the provider answered instead: a turn of the recording.
    """

    number: int
    messages: list[Message]
    tools: list[str]
    reply: Message | None = None
    refusal: dict[str, Any] | None = None
    failure: dict[str, Any] | None = None


@dataclass(frozen=True)
class ToolRun:
    """One tool that really ran: its name, its arguments, and what it returned."""

    name: str
    args: dict[str, Any]
    result: Any = None


@dataclass
class Evidence:
    """The events of one scenario, and what the learner's code returned or raised.

    `raised` has `type`, `message`, `line` and `code`. `returned` is plain JSON: an
    object of labkit's is `{"type": its class, "fields": {…}}`, any other is
    `{"opaque": its class}`. `not_started` is the exercise whose finished version was
    called, "" if none was.
    """

    events: list[dict[str, Any]]
    returned: Any = None
    raised: dict[str, Any] | None = None
    not_started: str = ""

    @cached_property
    def requests(self) -> list[Request]:
        """Every request that reached the model, in order."""
        messages: list[Any] = []
        seen = []
        for event in self._all("request"):
            messages = event.get("rewritten", messages + event.get("added", []))
            number = event["number"]
            read = [read_message(message) for message in messages]
            seen.append(Request(number, read, event["tools"], **self._outcome(number)))
        return seen

    @cached_property
    def replies(self) -> list[Message]:
        """Every message of the model's, in order."""
        return [request.reply for request in self.requests if request.reply]

    @property
    def refused(self) -> Request | None:
        """The first request that the API refused, or None."""
        return next((request for request in self.requests if request.refusal), None)

    @cached_property
    def tool_runs(self) -> list[ToolRun]:
        """Every declared tool that ran, in the order in which they started."""
        ended = {event["number"]: event for event in self._all("tool_ended")}
        return [
            ToolRun(e["tool"], e["args"], ended.get(e["number"], {}).get("result"))
            for e in self._all("tool_started")
        ]

    @property
    def question(self) -> str:
        """What the agent was asked."""
        return str(self._started["question"])

    @property
    def system(self) -> str:
        """The system prompt the agent was given."""
        return str(self._started["system"])

    @property
    def tools(self) -> list[str]:
        """The names of the tools the agent was given."""
        return list(self._started["tools"])

    @property
    def _started(self) -> dict[str, Any]:
        return self._all("started")[0]

    @property
    def result(self) -> dict[str, Any] | None:
        """The fields of the Result that came back, or None if it was something else."""
        return result_fields(self.returned)

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The refunds that moved money: `order_id` and `amount` of each."""
        return self._all("ledger")

    @property
    def audit(self) -> list[Any]:
        """The lines of the audit log."""
        return self._lines("audit")

    @property
    def trace(self) -> list[Any]:
        """The lines of the trace."""
        return self._lines("trace")

    @property
    def printed(self) -> str:
        """What the learner's code printed."""
        return "".join(event["text"] for event in self._all("printed"))

    @property
    def stopped(self) -> str | None:
        """Why the lab ended the scenario, or None if it ended by itself."""
        return next((event["reason"] for event in self._all("stopped")), None)

    @property
    def where(self) -> str:
        """At which line the code was when the lab ended the scenario, if known."""
        found = (event.get("where", "") for event in self._all("stopped"))
        return str(next(found, ""))

    @property
    def seconds(self) -> float:
        """How long the scenario took."""
        return float(sum(event["seconds"] for event in self._all("ended")))

    def after(self, request: Request) -> list[dict[str, Any]]:
        """What happened between a request and the next one, the reply included."""
        places = [i for i, e in enumerate(self.events) if e["event"] == "request"]
        begin, *later = places[request.number - 1 :]
        return self.events[begin + 1 : later[0] if later else None]

    def _lines(self, log: str) -> list[Any]:
        """The lines of a log as it stood at the end."""
        lines: list[Any] = []
        for event in self.events:
            if event["event"] == log:
                lines.append(event["line"])
            elif event["event"] == "rewritten" and event["log"] == log:
                lines.clear()
        return lines

    def _all(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == kind]

    def _outcome(self, number: int) -> dict[str, Any]:
        for event in self.events:
            if event.get("number") == number and event["event"] == "refusal":
                return {"refusal": event}
            if event.get("number") == number and event["event"] == "reply":
                reply = _message_in(event["turn"])
                return {"reply": reply} if reply else {"failure": event["turn"]}
        return {}


def read_message(message: Any) -> Message:
    """A message as sent, read tolerantly; what is no message has the role "?"."""
    if not isinstance(message, dict):
        return Message("?", str(message))
    calls = tuple(_read_call(call) for call in calls_in(message))
    text = text_of(message.get("content"))
    id = message.get("tool_call_id")
    return Message(str(message.get("role")), text, calls, id if id else "")


def result_fields(returned: Any) -> dict[str, Any] | None:
    """The fields of an encoded Result, or None if it is not one."""
    if isinstance(returned, dict) and returned.get("type") == "Result":
        fields = returned.get("fields")
        return fields if isinstance(fields, dict) else None
    return None


def _read_call(call: Any) -> AskedCall:
    function = call.get("function") if isinstance(call, dict) else None
    function = function if isinstance(function, dict) else {}
    id = call.get("id") if isinstance(call, dict) else ""
    fields = (id, function.get("name"), function.get("arguments"))
    return AskedCall(*(str(field or "") for field in fields))


def _message_in(turn: dict[str, Any]) -> Message | None:
    body = turn.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    if turn.get("status", 200) != 200 or not choices:
        return None
    return read_message(choices[0].get("message"))


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
