"""What counts as written: the learner's own code, not the stub, not the library's."""

import dis
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NoReturn

from labkit import agent

# Whoever writes the whole loop has written its step.
INSTEAD = {"step": ("step", "run")}


class NotStarted(BaseException):
    """Raised by the library's version of an exercise while that exercise is checked."""


def written_parts(names: Mapping[str, Any], parts: Iterable[str]) -> list[str]:
    """Those of the parts that the learner wrote; `names` is what their code defines."""
    return [part for part in parts if _is_written(names, part)]


@contextmanager
def library_not_written(parts: Iterable[str]) -> Iterator[None]:
    """While this lasts, the library's own version of each part raises NotStarted.

    The code is exchanged inside the function, so that a copy of it under another name,
    taken earlier, is no answer either.
    """
    functions = [found for part in parts if (found := library_version(part))]
    codes = [function.__code__ for function in functions]
    for function in functions:
        function.__code__ = _raise_not_started.__code__
    try:
        yield
    finally:
        for function, code in zip(functions, codes):
            function.__code__ = code


def library_version(part: str) -> FunctionType | None:
    """The library's function for a part, a method of Agent or a function of its own."""
    found = vars(agent.Agent).get(part) or getattr(agent, part, None)
    return found if isinstance(found, FunctionType) else None


def is_stub(function: Callable[..., Any]) -> bool:
    """Whether a body does nothing: `pass`, `...`, a docstring, NotImplementedError."""
    return isinstance(function, FunctionType) and _deeds(function) in _STUBS


def _is_written(names: Mapping[str, Any], part: str) -> bool:
    if part not in vars(agent.Agent):
        return part in names and _counts(names[part], part)
    owner = names.get("MyAgent")
    if not isinstance(owner, type):
        return owner is not None
    between = [cls for cls in owner.__mro__ if cls not in (*agent.Agent.__mro__,)]
    return any(
        _counts(vars(cls)[name], part)
        for cls in between
        for name in INSTEAD.get(part, (part,))
        if name in vars(cls)
    )


def _counts(value: Any, part: str) -> bool:
    library = [library_version(name) for name in INSTEAD.get(part, (part,))]
    return value not in library and not is_stub(value)


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
