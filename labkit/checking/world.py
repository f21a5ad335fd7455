"""The lab's side of a scenario: provider, shop and a record of what happened.

The learner's code asks it for everything it does not do itself: completions, tools,
lines of the audit log and the trace. From another process it asks over a stream; the
world never sees an object of the learner's, only JSON.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from labkit.agents import KITS
from labkit.checking.scenario import FunctionCall, Run, Scenario, Value
from labkit.errors import LabError
from labkit.replay import find_recording
from labkit.replay.provider import Provider, Runaway
from labkit.replay.recording import Recording, Turn
from labkit.shop import Shop
from labkit.workspace import Workspace

Event = dict[str, Any]
OUTPUT_LIMIT = 1 << 20


class World:
    """Everything one scenario needs on the trusted side, and the events it saw."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int = 0,
        recording: Recording | None = None,
        provider: Provider | None = None,
    ) -> None:
        """A world for a scenario; `recording` stands in for the one it names.

        `provider` answers in place of any recording: a live model, say.
        """
        self.scenario = scenario
        self.recording = recording
        self.events: list[Event] = []
        self.stopped: str | None = None
        self.printed = 0
        self.started = time.perf_counter()
        self.shop = Shop(seed, on_ledger=self._saw_refund)
        self.functions = self.shop.functions
        self.provider = provider
        try:
            self._prepare(seed)
        except LabError:
            self.shop.close()
            raise

    def _prepare(self, seed: int) -> None:
        if isinstance(self.scenario, Value) or not self.scenario.recording:
            return
        self.provider = self.provider or self._replayed(self.scenario, seed)
        if isinstance(self.scenario, Run):
            if self.scenario.agent == "workspace":
                self.functions = Workspace().functions
            kit = KITS[self.scenario.agent]
            given = {"system": kit.system, "tools": kit.names}
            question = self.provider.recording.question
            self._saw("started", question=question, **given)

    def _replayed(self, scenario: Run | FunctionCall, seed: int) -> Provider:
        recording = self.recording or find_recording(scenario.recording or "", seed)
        if isinstance(scenario, Run):
            return Provider(recording, scenario.level, scenario.expected)
        return Provider(recording)

    def order(self) -> dict[str, Any]:
        """What the learner's side has to do."""
        question = self.provider.recording.question if self.provider else ""
        return self.scenario.order(question)

    def answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question of the learner's side; `{"stop": …}` ends it.

        A question has `kind` ("request", "tool", "audit", "trace", "rewritten" for a
        log, "slept", "approval", "printed") and its fields.
        """
        if self.stopped:
            return {"stop": self.stopped}
        kinds: dict[str, Callable[..., dict[str, Any]]] = {
            "request": self._request,
            "tool": self._tool,
            "audit": lambda line: self._saw("audit", line=_line(line)),
            "trace": lambda line: self._saw("trace", line=_line(line)),
            "rewritten": lambda log: self._saw("rewritten", log=log),
            "slept": lambda seconds: self._saw("slept", seconds=seconds),
            "approval": self._approval,
            "printed": self._print,
        }
        return kinds[ask.pop("kind")](**ask)

    def stop(self, reason: str, where: str = "") -> dict[str, Any]:
        """End the scenario: "runaway", "timeout", "output", "crashed" or "tampered".

        `where` is what is known of the place at which the code was.
        """
        if self.stopped is None:
            self.stopped = reason
            self._saw("stopped", reason=reason, **({"where": where} if where else {}))
        return {"stop": self.stopped}

    def end(self) -> list[Event]:
        """Close the shop; all events, the last one with the seconds it took."""
        self._saw("ended", seconds=round(time.perf_counter() - self.started, 6))
        self.shop.close()
        return self.events

    def _saw(self, event: str, **fields: Any) -> dict[str, Any]:
        self.events.append({"event": event, **fields})
        return {}

    def _saw_refund(self, row: dict[str, Any]) -> None:
        self._saw("ledger", **row)

    def _request(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.provider is None:
            return {"turn": _no_provider()}
        self._saw_request(self.provider.requests, request)
        try:
            turn = self.provider.answer(request)
        except Runaway:
            return self.stop("runaway")
        number = len(self.provider.requests)
        if refusal := self.provider.refusals.get(number):
            fields = {"rule": refusal.rule, "message": refusal.message}
            self._saw("refusal", number=number, text=refusal.text, **fields)
        else:
            self._saw("reply", number=number, turn=turn)
        return {"turn": turn}

    def _saw_request(
        self, earlier: list[dict[str, Any]], request: dict[str, Any]
    ) -> None:
        """Keep what the request adds to the one before, or all of it if it differs."""
        messages = request.get("messages")
        before = earlier[-1].get("messages") if earlier else []
        rest = {key: value for key, value in request.items() if key != "messages"}
        fields: dict[str, Any] = {"number": len(earlier) + 1}
        if not isinstance(messages, list) or not isinstance(before, list):
            fields["rewritten"] = []
        elif messages[: len(before)] == before:
            fields["added"] = messages[len(before) :]
        else:
            fields["rewritten"] = messages
        rest["tools"] = [_tool_name(tool) for tool in rest.get("tools") or []]
        self._saw("request", **fields, **rest)

    def _tool(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        declared = name != "refunded_so_far"  # the agent asks the ledger, not the model
        number = len(self.events)
        if declared:
            self._saw("tool_started", number=number, tool=name, args=args)
        try:
            answer = {"result": self.functions[name](**args)}
        except Exception as error:
            answer = {"raised": [type(error).__name__, str(error)]}
        if declared:
            self._saw("tool_ended", number=number, **answer)
        return answer

    def _approval(self, name: str, args: dict[str, Any], reason: str) -> dict[str, Any]:
        approved = self._approves(name, args, reason)
        self._saw("approval", tool=name, args=args, reason=reason, approved=approved)
        return {"approved": approved}

    def _approves(self, name: str, args: dict[str, Any], reason: str) -> bool:
        return isinstance(self.scenario, Run) and bool(self.scenario.approve)

    def _print(self, text: str) -> dict[str, Any]:
        self.printed += len(text)
        self._saw("printed", text=text[:OUTPUT_LIMIT])
        return self.stop("output") if self.printed > OUTPUT_LIMIT else {}


def _line(text: str) -> Any:
    """A JSON line as its value, anything else as the text it was."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _tool_name(tool: Any) -> Any:
    function = tool.get("function") if isinstance(tool, dict) else None
    return function.get("name") if isinstance(function, dict) else None


def _no_provider() -> Turn:
    text = "This function is called without a model; there is no conversation here."
    return {"status": 400, "body": {"error": {"message": text, "code": "no_model"}}}
