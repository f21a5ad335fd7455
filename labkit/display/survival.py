"""How agents came through the failure collection, as text, as HTML and as JSON."""

from collections.abc import Iterator
from importlib.metadata import version
from itertools import groupby
from typing import Any

from labkit.display.face import Face, rendered
from labkit.display.report import visible
from labkit.quantity import quantity
from labkit.survival.collection import Waiting
from labkit.survival.survey import Outcome, Survey


def survival_table(
    surveys: list[Survey],
    waiting: list[Waiting],
    notes: list[str] | None = None,
    brief: bool = False,
) -> Face:
    """Each failure, what a right loop does, and what each agent did; the sums below.

    The surveys are of the same failures. `notes` stand above them. A brief one does not
    say what waits for later lessons, and its text has only what the first agent lost.
    """
    rows = list(zip(*(survey.outcomes for survey in surveys)))
    names = [survey.agent for survey in surveys]
    lines = [f"note: {note}" for note in notes or []]
    for row in rows:
        if not (brief and row[0].survived):
            lines += _lines(names, row)
    lines += [sum_of(survey) for survey in surveys]
    later = [] if brief else waiting_lines(waiting)
    lines += later
    html = rendered(
        "survival.html",
        notes=notes or [],
        names=names,
        rows=rows,
        sums=[sum_of(survey) for survey in surveys],
        waiting=later,
        title=title,
        verdict=verdict,
        did=did,
        visible=visible,
    )
    return Face("\n".join(lines), html)


def _lines(names: list[str], row: tuple[Outcome, ...]) -> Iterator[str]:
    """One failure: its title, the right loop, and each agent with its verdict."""
    failure = row[0].failure
    yield f"{failure.header['id']} {title(failure.header)}"
    yield f"  right: {failure.header['right']['does']}"
    for name, outcome in zip(names, row):
        yield f"  {verdict(outcome)}, {visible(name)}: {did(outcome)}"
        yield from (f"    {visible(reason)}" for reason in outcome.reasons)


def title(header: dict[str, Any]) -> str:
    """What goes wrong; of a shape that is normal, that it is."""
    normal = " (a normal shape)" if header.get("control") else ""
    return visible(f"{header['title']}{normal}")


def verdict(outcome: Outcome) -> str:
    """The verdict in a word, and told apart by shape."""
    return "✓ survived" if outcome.survived else "✗ lost"


def did(outcome: Outcome) -> str:
    """What an agent did: how it stopped, what ran, what moved and what was refused."""
    ran = [
        name if (times := len(list(group))) == 1 else f"{name} {times} times"
        for name, group in groupby(outcome.tools)
    ]
    parts = [
        outcome.ending,
        f"ran {', '.join(ran) or 'no tool'}",
        quantity(outcome.requests, "request")
        + (f", {outcome.refused} refused" if outcome.refused else ""),
    ]
    if outcome.refunded:
        parts.append(f"paid back {outcome.refunded:.2f}")
    return visible("; ".join(parts))


def sum_of(survey: Survey) -> str:
    """How many failures an agent survived, on one line."""
    all_of = len(survey.outcomes)
    lost = len(survey.lost)
    return visible(f"{survey.agent}: {all_of - lost} of {all_of} survived, {lost} lost")


def waiting_lines(waiting: list[Waiting]) -> list[str]:
    """The failures that wait, one line for each lesson they wait for."""
    return [
        f"waiting for {lesson}: {', '.join(entry.id for entry in group)}"
        for lesson, group in groupby(waiting, key=lambda entry: entry.lesson)
    ]


def as_json(survey: Survey, waiting: list[Waiting]) -> dict[str, Any]:
    """The survey for other programs, schema 1."""
    return {
        "schema": 1,
        "lab_version": version("labkit"),
        "agent": survey.agent,
        "seed": survey.seed,
        "survived": len(survey.outcomes) - len(survey.lost),
        "total": len(survey.outcomes),
        "exit_code": survey.exit_code,
        "seconds": round(survey.seconds, 3),
        "failures": [_failure(outcome) for outcome in survey.outcomes],
        "waiting": [vars(entry) for entry in waiting],
    }


def _failure(outcome: Outcome) -> dict[str, Any]:
    header = outcome.failure.header
    return {
        "id": header["id"],
        "recording": outcome.failure.name,
        "title": header["title"],
        "source": header["source"],
        "control": header.get("control", False),
        "right": header["right"],
        "survived": outcome.survived,
        "reasons": outcome.reasons,
        "ending": outcome.ending,
        "stopped_by": outcome.stopped_by,
        "tools": outcome.tools,
        "refunded": outcome.refunded,
        "requests": outcome.requests,
        "refused": outcome.refused,
    }
