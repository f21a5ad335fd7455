"""The verdict is a pure function of what a right loop does and what was seen."""

from typing import Any

import pytest

from labkit.checking.evidence import Evidence
from labkit.survival.verdict import losses

RIGHT: dict[str, Any] = {"does": "Goes on.", "stopped_by": ["answered", "length"]}
ASKED = {"event": "request", "number": 1, "tools": [], "added": []}
ENDED = {"event": "ended", "seconds": 0.1}


def seen(
    *events: dict[str, Any], stopped_by: Any = "answered", **fields: Any
) -> Evidence:
    answer = {"answer": "It is shipped.", "error": ""} | fields
    result = {"type": "Result", "fields": answer | {"stopped_by": stopped_by}}
    return Evidence([ASKED, *events, ENDED], result)


def ran(*names: str) -> list[dict[str, Any]]:
    return [
        {"event": "tool_started", "number": n, "tool": name, "args": {}}
        for n, name in enumerate(names)
    ]


def paid(amount: float) -> dict[str, Any]:
    return {"event": "ledger", "order_id": "NW-1041", "amount": amount}


def refused(rule: str = "call_is_answered_once") -> dict[str, Any]:
    return {"event": "refusal", "number": 1, "rule": rule, "text": "No.", "message": 1}


SURVIVED = {
    "nothing else asked for": (RIGHT, seen()),
    "another allowed reason": (RIGHT, seen(stopped_by="length", answer="")),
    "the tools in order": (
        RIGHT | {"tools": ["a", "b"]},
        seen(*ran("a", "b")),
    ),
    "no tools": (RIGHT | {"tools": []}, seen()),
    "tools nobody asks about": (RIGHT, seen(*ran("a"))),
    "the money": (RIGHT | {"refunded": 30.3}, seen(paid(10.1), paid(20.2))),
    "the answer": (RIGHT | {"answer": "shipped"}, seen()),
    "no answer, under another name": (
        RIGHT | {"answer": "lost"},
        seen(stopped_by="length"),
    ),
    "the requests": (RIGHT | {"requests": [1, 2]}, seen()),
    "the provider's words": (
        RIGHT | {"stopped_by": ["provider_error"], "error": "busy"},
        seen(stopped_by="provider_error", error="503: busy"),
    ),
}
LOST = {
    "it stopped by 'step_budget', not by answered or length": (
        RIGHT,
        seen(stopped_by="step_budget"),
    ),
    "it stopped by None": (RIGHT, seen(stopped_by=None)),
    "it stopped by a list": (RIGHT, seen(stopped_by=["answered"])),
    "it calls an empty text an answer": (RIGHT, seen(answer=" ")),
    "its answer lacks 'lost'": (RIGHT | {"answer": "lost"}, seen()),
    "tools that ran: b, a; right: a, b": (
        RIGHT | {"tools": ["a", "b"]},
        seen(*ran("b", "a")),
    ),
    "tools that ran: a; right: none": (RIGHT | {"tools": []}, seen(*ran("a"))),
    "5.00 dollars were paid back, where 0.00 are right": (RIGHT, seen(paid(5))),
    "0.00 dollars were paid back, where 5.00 are right": (
        RIGHT | {"refunded": 5},
        seen(),
    ),
    "it asked 1 times, where a right loop asks 2 to 3 times": (
        RIGHT | {"requests": [2, 3]},
        seen(),
    ),
    "result.error hides the provider's words": (
        RIGHT | {"stopped_by": ["provider_error"], "error": "busy"},
        seen(stopped_by="provider_error", error="failed"),
    ),
    "request 1 was refused: No.": (RIGHT, seen(refused())),
    "asking after the conversation was over": (RIGHT, seen(refused("recording_ended"))),
    "it gave back a dict, not a Result": (RIGHT, Evidence([ENDED], {})),
    "it raised KeyError: 'x'": (
        RIGHT,
        Evidence([ENDED], raised={"type": "KeyError", "message": "'x'"}),
    ),
    "for ever": (RIGHT, Evidence([{"event": "stopped", "reason": "runaway"}])),
    "in time": (RIGHT, Evidence([{"event": "stopped", "reason": "timeout"}])),
}


@pytest.mark.parametrize(("right", "what"), SURVIVED.values(), ids=SURVIVED)
def test_what_a_right_loop_does_survives(right: dict[str, Any], what: Any) -> None:
    assert losses(right, what) == []


@pytest.mark.parametrize(("reason", "case"), LOST.items(), ids=LOST)
def test_anything_else_is_a_loss_with_its_reason(reason: str, case: Any) -> None:
    [told] = losses(*case)
    assert reason in told


def test_money_is_told_even_of_a_run_that_fell_over() -> None:
    fell = Evidence([paid(5), ENDED], raised={"type": "KeyError", "message": "'x'"})
    assert losses(RIGHT, fell) == [
        "it raised KeyError: 'x'",
        "5.00 dollars were paid back, where 0.00 are right",
    ]


def test_a_refusal_is_the_cause_of_what_was_raised_after_it() -> None:
    events = [ASKED, refused(), ENDED]
    fell = Evidence(events, raised={"type": "BadRequestError", "message": "400"})
    assert losses(RIGHT, fell) == ["request 1 was refused: No."]
