"""How a request and a run ended, in words."""

import json

from labkit.checking.ending import STOPPED, said
from labkit.checking.evidence import Evidence, Request
from labkit.display.report import visible
from labkit.display.transcript import usage
from labkit.quantity import quantity
from labkit.replay.recording import Turn

WHY = {
    "answered": "the model asked for nothing more",
    "step_budget": "the step budget was spent",
    "tool_call_budget": "the tool-call budget was spent",
    "token_budget": "the token budget was spent",
    "refusal": "the model would not answer",
    "content_filter": "a filter of the provider's cut the reply",
    "length": "the reply was cut off at its greatest length",
    "empty_answer": "the reply held neither text nor calls",
    "too_many_errors": "too many calls in a row failed",
}


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
    tools = quantity(len(seen.tool_runs), "tool run")
    spent = f"{quantity(result['steps'], 'step')}, {tools}, {result['tokens']} tokens"
    return f"{result['stopped_by']}: {spent}{_estimated(seen)}"


def _estimated(seen: Evidence) -> str:
    """Whether tokens are the agent's estimate, because no reply told its usage."""
    turns = [e["turn"] for e in seen.events if e["event"] == "reply"]
    return "" if any(usage(turn) for turn in turns) or not turns else ", estimated"


def why_ended(seen: Evidence) -> str:
    """After which request a run ended, and why; "" for one that asked nothing."""
    if not seen.requests:
        return ""
    last = seen.requests[-1]
    where = f"it ended after request {last.number}"
    result = seen.result or {}
    if last.refusal:
        return f"{where}, which was refused"
    if result.get("stopped_by") == "provider_error":
        return f"{where}: {result.get('error') or 'the provider gave no answer'}"
    why = WHY.get(str(result.get("stopped_by")))
    return f"{where}: {why}" if why else where


def refused_by(request: Request) -> str:
    """Which rule a refused request broke, and where; "" if it was not refused."""
    if not request.refusal:
        return ""
    rule = str(request.refusal["rule"]).replace("_", " ")
    place = request.refusal["message"]
    where = "" if place is None else f", message {place + 1}"
    return f"rule: {rule}{where}"


def server_words(turn: Turn) -> str:
    """What came back in place of a message: a status and a text, or nothing at all."""
    if "sse" in turn:
        return "the connection broke off"
    body = turn.get("body")
    error = body.get("error") if isinstance(body, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    text = words or (body if isinstance(body, str) else json.dumps(body))
    return f"status {turn.get('status', 200)}: {visible(str(text))}"
