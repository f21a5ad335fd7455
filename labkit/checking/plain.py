"""What crosses from the learner's side to the lab's: plain JSON, by exact type."""

import dataclasses
import sys
import traceback
from pathlib import Path
from typing import Any

from labkit import agent

LONGEST = 200_000
DEEPEST = 30
WIDEST = 20_000
OURS = (agent.Call, agent.Result, agent.Limits, agent.Decision, agent.EvalReport)


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON: builtins as they are, objects of labkit's as their fields.

    A subclass of labkit's counts as labkit's, one of str as its text. The SDK's
    objects give their fields as a dict. Anything else, and what is too long or too
    deep, is `{"opaque": its class}`.
    """
    kind = type(value)
    if value is None or kind in (bool, float) or (kind is int and abs(value) < 10**300):
        return value
    if str in kind.__mro__ and len(text := str.__str__(value)) <= LONGEST:
        return text
    if depth < DEEPEST and kind in (list, tuple) and len(value) <= WIDEST:
        return [plain(item, depth + 1) for item in value]
    if depth < DEEPEST and dict in kind.__mro__ and _has_text_keys(value):
        return {key: plain(item, depth + 1) for key, item in dict.items(value)}
    if depth < DEEPEST and (fields := _fields(value, depth)) is not None:
        return fields
    return {"opaque": kind.__name__[:80]}


def _fields(value: Any, depth: int) -> Any:
    for ours in OURS:
        if ours in type(value).__mro__:
            names = [f.name for f in dataclasses.fields(ours)]
            held = object.__getattribute__(value, "__dict__")
            fields = {name: plain(held.get(name), depth + 1) for name in names}
            return {"type": ours.__name__, "fields": fields}
    if _is_sdk_object(value):
        return plain(value.model_dump(mode="json", warnings=False), depth + 1)
    return None


def _has_text_keys(value: dict[Any, Any]) -> bool:
    """Whether every key is a str; asked past whatever a subclass says of itself."""
    return all(type(key) is str for key in dict.keys(value))


def _is_sdk_object(value: Any) -> bool:
    kind = type(value)
    module = sys.modules.get(kind.__module__)
    name = kind.__name__.partition("[")[0]  # a generic one: ParsedChatCompletion[…]
    return kind.__module__.startswith("openai.types.") and (
        vars(module).get(name) in kind.__mro__ if module else False
    )


def described(error: BaseException) -> dict[str, Any]:
    """An exception as data: `type`, `message` (500 characters), `line` and `code`.

    `line` says where in the learner's code it was raised, such as "cell 7, line 3", and
    `code` what stands there; both are "" if it was raised elsewhere.
    """
    try:
        # A SyntaxError's own text repeats file and line.
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        message = text[:500]
    except Exception:
        message = "(its message cannot be read)"
    line, code = _origin(error)
    fields = {"type": type(error).__name__, "message": message}
    return fields | {"line": line, "code": code}


def _origin(error: BaseException) -> tuple[str, str]:
    """Where in the learner's code an exception came from, and what stands there."""
    if isinstance(error, SyntaxError) and error.lineno and error.filename:
        return place(error.filename, error.lineno), (error.text or "").strip()[:200]
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_installed(frame.filename)]
    if not own:
        return "", ""
    return place(own[-1].filename, own[-1].lineno or 0), (own[-1].line or "")[:200]


def place(filename: str, line: int) -> str:
    """Where a line is, as a learner would look for it."""
    return (
        f"{filename}, line {line}" if filename.startswith("cell ") else f"line {line}"
    )


_OUR_FOLDERS = (str(Path(agent.__file__).parents[1]), sys.prefix, sys.base_prefix)


def _is_installed(filename: str) -> bool:
    return filename.startswith((*_OUR_FOLDERS, "<frozen", "<string")) or any(
        folder in filename for folder in ("site-packages", "dist-packages")
    )
