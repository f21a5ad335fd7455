"""A class report for people: short as text, whole as a page."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from labkit.display.face import rendered
from labkit.display.report import visible
from labkit.quantity import quantity

BAR = 30
MOST_NAMES = 10


def as_text(report: dict[str, Any]) -> str:
    """The report in a few lines for each lesson."""
    lines = [line for lesson in report["lessons"] for line in _lesson_lines(lesson)]
    if unsettled := report["unsettled"]:
        names = names_of([f"{u['submission']} ({u['lesson']})" for u in unsettled])
        lines.append(f"the lab's own fault, grade them again: {names}")
    return "\n".join(lines)


def as_page(report: dict[str, Any]) -> str:
    """The report as a page of its own; everything in it is escaped."""
    from labkit.display.figures import figure

    return rendered(
        "class_report.html",
        report=report,
        figures={lesson["lesson"]: figure(lesson) for lesson in report["lessons"]},
        bar=bar,
        link=link,
        names_of=names_of,
        quantity=quantity,
        summary=summary,
        visible=visible,
    )


def _lesson_lines(lesson: dict[str, Any]) -> Iterator[str]:
    yield f"{lesson['lesson']}: {summary(lesson)}"
    for check in lesson["checks"]:
        if check["id"] == lesson["most_failed"]:
            times = f"{check['failed']} of {sum(check['outcomes'].values())}"
            yield f"  most failed: {visible(check['claim'])} ({times})"
    for first in lesson["first_failures"][:1]:
        example = first["example"]
        said = visible(example["seen"]) or first["outcome"]
        yield f"  commonest first failure, {quantity(first['students'], 'student')}:"
        yield f"    {visible(example['claim'])}"
        yield f"    such as {visible(example['student'])}: {said}"
    yield f"  alike: {alike(lesson['similar'])}"


def summary(lesson: dict[str, Any]) -> str:
    """How many there are and how they did, on one line."""
    statuses = lesson["statuses"]
    parts = [quantity(sum(statuses.values()), "student")]
    if lesson["mean"] is not None:
        parts.append(f"mean {lesson['mean']:g} of {lesson['points']:g}")
        parts.append(f"median {lesson['median']:g}")
        parts.append(f"{lesson['all_points']} with all points")
    words = {"not_gradable": "not gradable", "internal": "not graded by our fault"}
    others = {k: n for k, n in statuses.items() if k != "graded"}
    parts += [f"{n} {words.get(status, status)}" for status, n in others.items()]
    parts += [f"{lesson['flaky']} flaky"] if lesson["flaky"] else []
    return ", ".join(parts)


def alike(found: dict[str, Any] | None) -> str:
    """What is alike in a lesson, in a line."""
    if found is None:
        return "not looked for, no code is kept with these results"
    copies = {student for who in found["finished"].values() for student in who}
    parts = [
        (len(found["same_file"]), "file of several students"),
        (len(copies), "copy of the finished code"),
        (len(found["groups"]), "group of answers"),
    ]
    said = [quantity(number, what) for number, what in parts if number]
    return ", ".join(said) or "nothing"


def names_of(names: list[str]) -> str:
    """Some names on one line, the first ones, and how many more there are."""
    more = len(names) - MOST_NAMES
    told = ", ".join(map(visible, names[:MOST_NAMES]))
    return f"{told} and {more} more" if more > 0 else told


def bar(number: float, most: float) -> str:
    """A bar of characters, as long as the number is of the most there is."""
    return "█" * round(number * BAR / most) if most else ""


def link(page: str) -> str:
    """The address of a page that lies beside the report."""
    return quote(page)
