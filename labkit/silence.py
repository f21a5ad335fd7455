"""While a submission loads, its notebook's `lab` calls do nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_silent = False


@contextmanager
def silent() -> Iterator[None]:
    """While this lasts a Lesson does nothing, since a submission is being loaded."""
    global _silent
    before, _silent = _silent, True
    try:
        yield
    finally:
        _silent = before


def is_silent() -> bool:
    """Whether a submission is being loaded in this process."""
    return _silent


class Nothing:
    """Accepts any attribute, item, call or await, and does nothing."""

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> "Nothing":
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> "Nothing":
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __await__(self) -> Iterator[Any]:
        return iter(())

    def __repr__(self) -> str:
        return ""
