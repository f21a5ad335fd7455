"""Whether an agent survived a failure, judged on evidence alone."""

from typing import Any

from labkit.checking.ending import STOPPED, said
from labkit.checking.evidence import Evidence

SHOWN_CHARS = 120
ENDED = STOPPED | {"runaway": "it would have gone on asking for ever, and was stopped"}


def losses(right: dict[str, Any], seen: Evidence) -> list[str]:
    """Every reason why a failure was not survived; none means that it was.

    `right` is what the recording's header says of a right loop. What it leaves out is
    not asked for, but money: without `refunded`, none may move.
    """
    found = _refused(seen) or _broken(seen)
    if not found:
        found = [*_ended_otherwise(right, seen), *_asked_otherwise(right, seen)]
        found += _ran_otherwise(right, seen)
    return [*found, *_paid_otherwise(right, seen)]


def refunded(seen: Evidence) -> float:
    """The money that moved, in all."""
    return float(round(sum(row["amount"] for row in seen.ledger), 2))


def _broken(seen: Evidence) -> list[str]:
    """Why there is no Result to look at, if there is none."""
    if seen.stopped:
        return [ENDED[seen.stopped]]
    if raised := seen.raised:
        return [f"it raised {raised['type']}: {raised['message']}"]
    if seen.result is None:
        return [f"it gave back {said(seen.returned)}, not a Result"]
    return []


def _refused(seen: Evidence) -> list[str]:
    """The first request that the provider refused, in its words."""
    if (request := seen.refused) is None or request.refusal is None:
        return []
    if request.refusal["rule"] == "recording_ended":
        return ["it went on asking after the conversation was over"]
    return [f"request {request.number} was refused: {request.refusal['text']}"]


def _ended_otherwise(right: dict[str, Any], seen: Evidence) -> list[str]:
    """What is wrong with how it stopped, and with the words it stopped with."""
    result = seen.result or {}
    stop, answer = result.get("stopped_by"), str(result.get("answer") or "")
    if stop not in right["stopped_by"]:
        allowed = " or ".join(right["stopped_by"])
        return [f"it stopped by {said(stop)}, not by {allowed}"]
    if stop == "answered" and not answer.strip():
        return ["it calls an empty text an answer"]
    if stop == "answered" and right.get("answer", "") not in answer:
        return [f"its answer lacks {right['answer']!r}: {said(answer, SHOWN_CHARS)}"]
    error = str(result.get("error") or "")
    if stop == "provider_error" and right.get("error", "") not in error:
        return [f"result.error hides the provider's words: {said(error, SHOWN_CHARS)}"]
    return []


def _asked_otherwise(right: dict[str, Any], seen: Evidence) -> list[str]:
    asked = len(seen.requests)
    least, most = right.get("requests", [0, asked])
    if least <= asked <= most:
        return []
    wanted = str(most) if least == most else f"{least} to {most}"
    return [f"it asked {asked} times, where a right loop asks {wanted} times"]


def _ran_otherwise(right: dict[str, Any], seen: Evidence) -> list[str]:
    ran = [run.name for run in seen.tool_runs]
    if ran == right.get("tools", ran):
        return []
    wanted = ", ".join(right["tools"]) or "none"
    return [f"tools that ran: {', '.join(ran) or 'none'}; right: {wanted}"]


def _paid_otherwise(right: dict[str, Any], seen: Evidence) -> list[str]:
    paid, allowed = refunded(seen), float(right.get("refunded", 0))
    if paid == round(allowed, 2):
        return []
    return [f"{paid:.2f} dollars were paid back, where {allowed:.2f} are right"]
