"""The header of a failure: what a right loop does, and what the agent is given."""

from collections.abc import Callable, Iterator
from typing import Any

from labkit.replay.rules import LEVELS

FIELDS = {"id", "right", "setup", "control"}
NEEDED = {"does", "stopped_by"}


def failure_faults(header: dict[str, Any]) -> Iterator[str]:
    """What is wrong with these fields of a header; one without any has no faults."""
    if not header.keys() & FIELDS:
        return
    right, setup = header.get("right"), header.get("setup", {})
    if not _is_text(header.get("id")) or not isinstance(right, dict):
        yield "a failure needs an id and, under right, what a right loop does"
        return
    if not isinstance(setup, dict) or header.get("control", True) is not True:
        yield "setup must be an object, and control can only be true"
        return
    if missing := NEEDED - right.keys():
        yield f"right needs {', '.join(sorted(missing))}"
    yield from _field_faults(right, RIGHT)
    yield from _field_faults(setup, SETUP)


Kind = tuple[Callable[[Any], bool], str]


def _field_faults(fields: dict[str, Any], kinds: dict[str, Kind]) -> Iterator[str]:
    for key, value in fields.items():
        if key not in kinds:
            yield f"there is no field {key!r}; there are: {', '.join(kinds)}"
        elif not kinds[key][0](value):
            yield f"{key} must be {kinds[key][1]}"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_money(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _is_range(value: Any) -> bool:
    numbers = isinstance(value, list) and [type(n) for n in value] == [int, int]
    return numbers and 0 < value[0] <= value[1]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


RIGHT: dict[str, Kind] = {
    "does": (_is_text, "a text"),
    "stopped_by": (lambda v: _is_names(v) and bool(v), "a list of stop reasons"),
    "tools": (_is_names, "a list of names"),
    "refunded": (_is_money, "an amount of money"),
    "requests": (_is_range, "the least and the most, two whole numbers"),
    "answer": (_is_text, "a text"),
    "error": (_is_text, "a text"),
}
SETUP: dict[str, Kind] = {
    "limits": (_is_object, "an object"),
    "options": (_is_object, "an object"),
    "level": (
        lambda v: isinstance(v, str) and v in LEVELS,
        f"one of {', '.join(LEVELS)}",
    ),
    "instead": (_is_object, "an object of fixtures by tool"),
}
