"""What a notebook talks to: one lesson, its checks and its hints."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labkit.checking.place import Place
    from labkit.checking.report import Report

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


class Lesson:
    """One lesson, by its name: `lab = Lesson("lesson_03_loop")`.

    Raises LabError if there is no lesson of that name.
    """

    def __new__(cls, name: str) -> Any:
        return Nothing() if _silent else super().__new__(cls)

    def __init__(self, name: str) -> None:
        from labkit.checking.check import load_checker

        self.name = name
        self.checker = load_checker(name)

    def check(self, *written: Any, seed: int = 0) -> "Card":
        """Check what was written: `MyAgent`, functions, or a dict as the schema.

        Shows as a card. Where the system can fork, the code runs in a fork.
        """
        from labkit.checking.judge import judge

        names = dict(_named(thing) for thing in written)
        place = _place(names, self.checker.parts)
        return Card(judge(self.checker, place, self.name, seed))


class Card:
    """A report with two faces: HTML in a notebook, text in a console."""

    def __init__(self, report: "Report") -> None:
        self.report = report

    def __repr__(self) -> str:
        from labkit.checking.render import as_text

        return as_text(self.report)

    def _repr_html_(self) -> str:
        from labkit.checking.render import as_html

        return as_html(self.report)


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


def _named(thing: Any) -> tuple[str, Any]:
    """The name a learner's object is judged under."""
    if isinstance(thing, type):
        return "MyAgent", thing
    return ("LOOKUP_ORDER" if isinstance(thing, dict) else thing.__name__), thing


def _place(names: dict[str, Any], parts: list[str]) -> "Place":
    from labkit.checking.loading import Loaded
    from labkit.checking.place import Here
    from labkit.checking.process import Forked

    if sys.platform in ("emscripten", "win32"):
        return Here(names, parts)
    return Forked(lambda: Loaded(names), parts)
