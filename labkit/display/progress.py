"""A progress bar for what takes a while, on a terminal and nowhere else."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
LONG = 20


def tracked(things: list[T]) -> Iterable[T]:
    """The things one by one; a long list of them with a bar, rate and time left."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if len(things) < LONG or not console.is_terminal:
        return things
    return track(things, "evaluating", console=console, transient=True)
