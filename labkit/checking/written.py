"""What counts as written: the learner's own code, not the stub, not the library's."""

import dis
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from types import FunctionType
from typing import Any, NoReturn

from labkit import agent, shop

# Whoever writes the whole loop has written its step.
INSTEAD = {"step": ("step", "run")}
# Exercises that are values, not code; a blank in them is written `...`.
VALUES = {"LOOKUP_ORDER": shop.LOOKUP_ORDER}


class NotStarted(BaseException):
    """Raised by the library's version of an exercise while that exercise is checked."""


def unwritten(names: Mapping[str, Any], parts: Iterable[str]) -> dict[str, str]:
    """Each part that the learner has not written, and why it does not count.

    `names` is what their code defines.
    """
    found = {part: _why_not_written(names, part) for part in parts}
    return {part: why for part, why in found.items() if why}


def missing_names(names: Mapping[str, Any], asked: Iterable[str]) -> dict[str, str]:
    """Each asked name that is not defined, and the nearest one that is, or ""."""
    own = {
        name.casefold(): name
        for name, value in names.items()
        if not name.startswith("_") and value is not getattr(agent, name, None)
    }
    return {
        name: own.get(next(iter(get_close_matches(name.casefold(), own, n=1)), ""), "")
        for name in asked
        if name not in names
    }


@contextmanager
def library_not_written(parts: Iterable[str]) -> Iterator[None]:
    """While this lasts, the library's own version of each part raises NotStarted.

    The code is exchanged inside the function, so that a copy of it under another name,
    taken earlier, is no answer either.
    """
    functions = [found for part in parts if (found := library_version(part))]
    codes = [function.__code__ for function in functions]
    for function in functions:
        # The name in the code is how `called_part` knows which one was called.
        name = function.__name__
        function.__code__ = _raise_not_started.__code__.replace(co_name=name)
    try:
        yield
    finally:
        for function, code in zip(functions, codes):
            function.__code__ = code


def called_part(error: NotStarted) -> str:
    """The part whose finished version was called."""
    return traceback.extract_tb(error.__traceback__)[-1].name


def library_version(part: str) -> FunctionType | None:
    """The library's function for a part, a method of Agent or a function of its own."""
    found = vars(agent.Agent).get(part) or getattr(agent, part, None)
    return found if isinstance(found, FunctionType) else None


def is_stub(function: Callable[..., Any]) -> bool:
    """Whether a body does nothing: `pass`, `...`, a docstring, NotImplementedError."""
    return isinstance(function, FunctionType) and _deeds(function) in _STUBS


def _why_not_written(names: Mapping[str, Any], part: str) -> str:
    """Why a part does not count as the learner's own, or "" if it does."""
    if part in VALUES:
        return _value_verdict(names, part)
    if part not in vars(agent.Agent):
        return _verdict(names[part], part) if part in names else f"there is no {part}"
    owner = names.get("MyAgent")
    if not isinstance(owner, type):
        return "" if owner is not None else "there is no MyAgent"
    own: dict[str, Any] = {}
    for cls in owner.__mro__:
        own |= {} if cls in agent.Agent.__mro__ else vars(cls) | own
    verdicts = [
        _verdict(own[name], name) for name in INSTEAD.get(part, (part,)) if name in own
    ]
    if "" in verdicts:
        return ""
    return verdicts[0] if verdicts else _absent(part, own)


def _value_verdict(names: Mapping[str, Any], part: str) -> str:
    if part not in names:
        return f"there is no {part}"
    if names[part] is VALUES[part]:
        return f"{part} is the finished one; write your own"
    return f"{part} still has blanks (...)" if _has_blanks(names[part]) else ""


def _has_blanks(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_blanks, value.values()))
    return value is ... or (isinstance(value, list) and any(map(_has_blanks, value)))


def _absent(part: str, own: Mapping[str, Any]) -> str:
    wanted = " or ".join(INSTEAD.get(part, (part,)))
    close = get_close_matches(part, own, n=1)
    mend = f"; did you mean {close[0]}?" if close else ""
    return f"MyAgent has no {wanted} of its own{mend}"


def _verdict(value: Any, name: str) -> str:
    if value is library_version(name):
        return f"{name} is the finished one; write its lines yourself"
    return f"{name} does nothing yet" if is_stub(value) else ""


def _deeds(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """What a body does, instruction by instruction, whatever its texts say."""
    return [
        (
            step.opname,
            "text"
            if step.opname == "LOAD_CONST" and isinstance(step.argval, str)
            else step.argval,
        )
        for step in dis.get_instructions(function)
    ]


def _raise_not_started(*args: Any, **kwargs: Any) -> NoReturn:
    from labkit.checking.written import NotStarted  # this code runs in other modules

    raise NotStarted


def _pass() -> None:
    pass


def _todo() -> None:
    raise NotImplementedError


def _todo_text() -> None:
    raise NotImplementedError("…")


_STUBS = [_deeds(f) for f in (_pass, _todo, _todo_text)]
