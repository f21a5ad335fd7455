"""How far the lessons have come: bars of one piece for each check, with words."""

from typing import Any

from labkit.display.face import Face, rendered
from labkit.progress import LessonProgress
from labkit.quantity import quantity

SIGNS = {"passes": "■", "passed before": "▨", "not yet": "□"}
UNREADABLE = "its file in .labkit/progress cannot be read; the next check begins anew"


def bars(lessons: list[LessonProgress]) -> Face:
    """A bar for each lesson, the sum, and what is next.

    The text of somebody who begins is one sentence, whatever lessons there are.
    """
    begun = any(one.passed.ever or not one.passed.is_readable for one in lessons)
    goes_on = next_sentence(lessons)
    lines = [line for one in lessons for line in _lines(one)] if begun else []
    html = rendered(
        "lesson_progress.html",
        lessons=lessons,
        total=total(lessons) if begun else "",
        legend=legend(lessons),
        next=goes_on,
        state=state,
        signs=SIGNS,
        counted=counted,
        unreadable=UNREADABLE,
    )
    head = [total(lessons), legend(lessons)] if begun else []
    return Face("\n".join([*lines, *filter(None, head), goes_on]), html)


def state(lesson: LessonProgress, id: str) -> str:
    """What is known of a check, in words; see SIGNS."""
    if id in lesson.passed.now:
        return "passes"
    return "passed before" if id in lesson.passed.ever else "not yet"


def counted(lesson: LessonProgress) -> str:
    """How much of a lesson passes, and what passed before and does not now."""
    parts = lesson.parts
    told = f"{lesson.passing} of {len(lesson.checks)} checks"
    told += f", {sum(parts.values())} of {quantity(len(parts), 'part')}"
    if before := _before(lesson):
        told += f"; {before} passed before"
    return told


def total(lessons: list[LessonProgress]) -> str:
    """How much of the lab passes."""
    done = sum(one.next_part is None for one in lessons)
    passing = sum(one.passing for one in lessons)
    checks = sum(len(one.checks) for one in lessons)
    return f"{passing} of {checks} checks pass, {done} of {len(lessons)} lessons"


def legend(lessons: list[LessonProgress]) -> str:
    """What the signs mean, where one of them does not speak for itself."""
    if not any(map(_before, lessons)):
        return ""
    return "  ".join(f"{sign} {words}" for words, sign in SIGNS.items())


def next_sentence(lessons: list[LessonProgress]) -> str:
    """What is next: the first part of the first lesson that does not all pass."""
    to_do = next((one for one in lessons if one.next_part), None)
    if to_do is None:
        return "Everything passes; `labkit assemble` makes it one agent."
    if not any(one.passed.ever for one in lessons):
        return f"No check has passed yet; begin with {to_do.lesson}."
    return f"Next: {to_do.lesson}, {to_do.next_part}."


def tabbed(lesson: LessonProgress) -> str:
    """A lesson as fields between tabs: name, then the counts of `as_json`."""
    counts = _counts(lesson)
    return "\t".join([lesson.lesson, *map(str, counts.values())])


def as_json(lessons: list[LessonProgress]) -> dict[str, Any]:
    """The progress as data, schema 1."""
    to_do = next((one for one in lessons if one.next_part), None)
    return {
        "schema": 1,
        "lessons": [
            {
                "lesson": one.lesson,
                **_counts(one),
                "parts": one.parts,
                "is_readable": one.passed.is_readable,
            }
            for one in lessons
        ],
        "next": to_do and {"lesson": to_do.lesson, "part": to_do.next_part},
    }


def _counts(lesson: LessonProgress) -> dict[str, int]:
    return {
        "checks_passing": lesson.passing,
        "checks_ever_passed": lesson.passing + _before(lesson),
        "checks_total": len(lesson.checks),
        "parts_passing": sum(lesson.parts.values()),
        "parts_total": len(lesson.parts),
    }


def _before(lesson: LessonProgress) -> int:
    return sum(state(lesson, check.id) == "passed before" for check in lesson.checks)


def _lines(lesson: LessonProgress) -> list[str]:
    bar = "".join(SIGNS[state(lesson, check.id)] for check in lesson.checks)
    lines = [f"{lesson.lesson:<32} {bar:<16} {counted(lesson)}"]
    return lines if lesson.passed.is_readable else [*lines, f"  note: {UNREADABLE}"]
