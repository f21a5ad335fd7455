"""What the learner's side may say, by shape; anything else is no frame of ours.

What has the right shape is still a claim, and judged.
"""

from collections.abc import Callable
from typing import Any

from labkit.checking.channel import Malformed

Frame = dict[str, Any]


def arrived(frame: Frame) -> dict[str, Any]:
    """What a process says of the code it loaded; Malformed if it says anything else."""
    said = _fields(frame.get("loaded"), LOADED)
    for item in ("unwritten", "missing"):
        _need(all(isinstance(text, str) for text in said[item].values()))
    _need(all(isinstance(note, str) for note in said["notes"]))
    if said["fault"] is not None:
        _fields(said["fault"], RAISED)
    return said


def asked(frame: Frame) -> dict[str, Any]:
    """The question in a frame, or what it tells; Malformed if it is neither."""
    told = "tell" in frame
    question = frame["tell"] if told else frame.get("ask")
    kind = question.get("kind") if isinstance(question, dict) else None
    _need(isinstance(kind, str) and kind in QUESTIONS and told == (kind in TOLD))
    return _fields(question, QUESTIONS[str(kind)] | {"kind": _text})


def outcome(frame: Frame, id: str) -> dict[str, Any]:
    """What came of the order of this id: `returned`, `raised` or `not_started`."""
    said: Any = frame.get("outcome")
    _need(frame.get("id") == id)
    _need(isinstance(said, dict) and len(said) == 1)
    if "raised" in said:
        _fields(said["raised"], RAISED)
    else:
        _need("returned" in said or isinstance(said.get("not_started"), str))
    return dict(said)


def _any(value: object) -> bool:
    return True


def _text(value: object) -> bool:
    return isinstance(value, str)


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _list(value: object) -> bool:
    return isinstance(value, list)


def _log(value: object) -> bool:
    return value in ("audit", "trace")


def _object_or_none(value: object) -> bool:
    return value is None or isinstance(value, dict)


Shape = dict[str, Callable[[object], bool]]
RAISED: Shape = dict.fromkeys(("type", "message", "line", "code"), _text)
LOADED: Shape = {
    "unwritten": _object,
    "missing": _object,
    "notes": _list,
    "fault": _object_or_none,
}
# Nobody waits for an answer to these; a run that has ended hears of it with the next.
TOLD = ("audit", "trace", "rewritten", "printed")
QUESTIONS: dict[str, Shape] = {
    "request": {"request": _object},
    "tool": {"name": _text, "args": _object},
    "audit": {"line": _text},
    "trace": {"line": _text},
    "rewritten": {"log": _log},
    "slept": {"seconds": _any},
    "approval": {"name": _text, "args": _any, "reason": _any},
    "printed": {"text": _text},
}


def _fields(value: Any, shape: Shape) -> dict[str, Any]:
    """The value, if it is an object of just these fields."""
    _need(isinstance(value, dict) and value.keys() == shape.keys())
    _need(all(fits(value[name]) for name, fits in shape.items()))
    found: dict[str, Any] = value
    return found


def _need(holds: bool) -> None:
    if not holds:
        raise Malformed("a frame of another shape than the lab's")
