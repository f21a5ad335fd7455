"""How a run ended, judged on evidence; shared by the checkers.

Each function gives back a Failure it finds in one run, or None.
"""

from typing import Any

from labkit.checking.check import Failure
from labkit.checking.evidence import Evidence, Request
from labkit.quantity import quantity


def not_finished(seen: Evidence) -> Failure | None:
    """Whether a run stopped early, asked once too often, or answered otherwise."""
    return refused(seen) or gave_up(seen) or stopped_early(seen) or wrong_answer(seen)


def no_result(seen: Evidence) -> Failure | None:
    """Whether run gave back something else than a Result."""
    if seen.result is not None:
        return None
    what = said(seen.returned)
    if what == "a coroutine":
        what += ", which nobody awaits"
    return Failure(
        f"run gave back {what}",
        "a Result",
        "write a plain def whose result comes back from run",
    )


def refused(seen: Evidence) -> Failure | None:
    """Whether the API refused a request, in its own words."""
    return refusal(seen.refused) if seen.refused else None


def refusal(request: Request) -> Failure | None:
    """What was wrong with a request, or None if it was not refused."""
    if request.refusal is None:
        return None
    where = f"request {request.number}"
    if request.refusal["rule"] == "recording_ended":
        return Failure(
            f"{where} came after the answer",
            "no request after it",
            "a message without calls is the answer: stop there",
        )
    if (message := request.refusal["message"]) is not None:
        where += f", message {message + 1}"  # people count from 1, the API from 0
    return Failure(
        f"{where} was refused: {request.refusal['text']}",
        "a request that the API takes",
        "look at that message: its role, its content and its id",
    )


def gave_up(seen: Evidence) -> Failure | None:
    """Whether nothing was asked, or the run took an answering provider for lost."""
    result = seen.result or {}
    if not seen.requests:
        stop = result.get("stopped_by")
        return Failure(
            f"nothing was asked; stopped_by is {said(stop)}"
            + (", which nobody awaits" if said(stop) == "a coroutine" else ""),
            "a request to the model",
            "ask with self.call_model(result.messages), in a plain def",
        )
    if result.get("stopped_by") == "provider_error" and seen.requests[-1].reply:
        return Failure(
            f"stopped_by is 'provider_error' though the model answered; "
            f"result.error is {said(result.get('error'))}",
            "a run that goes on",
            "look for an exception of your own that is caught on the way",
        )
    return None


def stopped_early(seen: Evidence) -> Failure | None:
    """Whether the last reply that was fetched still asked for something."""
    last = seen.replies[-1] if seen.replies else None
    if last and last.calls and not seen.refused:
        return Failure(
            f"it stopped after request {len(seen.requests)}, though the model had "
            f"asked for {last.calls[0].name}",
            "a next request with that call's result",
            "only a message without calls ends the run",
        )
    return None


def wrong_answer(seen: Evidence) -> Failure | None:
    """Whether the answer is another text than the model's last message."""
    wanted = seen.replies[-1].text.strip() if seen.replies else ""
    result = seen.result or {}
    answer, stop = result.get("answer"), result.get("stopped_by")
    if not isinstance(answer, str) or answer.strip() != wanted:
        return Failure(
            f"result.answer is {said(answer)}",
            f"the model's last text, {said(wanted)}",
            "put the text of the message without calls into result.answer",
        )
    if stop != "answered":
        return Failure(
            f"stopped_by is {said(stop)} after an answer",
            "'answered'",
            "an answer ends the run with the stop reason 'answered'",
        )
    return None


def runaway(seen: Evidence) -> Failure:
    """Why a loop that the lab had to end did not end by itself."""
    lost = seen.requests[-2].reply is None and seen.refused is None
    if lost:
        return Failure(
            "the provider had failed, and the loop asked on until the lab ended it",
            "a run that ends as 'provider_error'",
            "count the attempts in call_model; a None from it ends the run",
        )
    if seen.replies and seen.replies[-1].calls:
        return Failure(
            "the model would have gone on for ever, and so would the loop; the lab "
            f"ended it after {quantity(len(seen.requests), 'request')}",
            "a budget that ends the run",
            "ask self.over_budget(result) before each request; look at what it counts",
        )
    return Failure(
        "the loop went on asking after the conversation was over; the lab ended it",
        "a loop that ends by itself",
        "look at what makes your loop stop: only a message without calls does",
    )


# Why the lab ended a scenario, in a learner's words.
STOPPED = {
    "runaway": "it went on asking after the conversation was over, and was stopped",
    "timeout": "it did not end in time, and was stopped",
    "output": "it printed more than 1 MiB, and was stopped",
    "crashed": "its process ended before it had answered",
    "tampered": "it wrote into the lab's own stream",
    "broken": "the process for your code could not be started; try labkit doctor",
}


def stopped(reason: str, where: str = "") -> str:
    """Why the lab ended a scenario, and at which line the code was, if known."""
    return STOPPED[reason] + (f": {where}" if where else "")


def said(value: Any, length: int = 60) -> str:
    """A value as a learner may read it: short, and an object by its class."""
    if isinstance(value, dict):
        if name := value.get("type") or value.get("opaque"):
            return f"a {name}"
        return "a dict"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"
