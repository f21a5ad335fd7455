"""How far something that takes a while has come, on a terminal and elsewhere."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from labkit.display.report import one_line

T = TypeVar("T")
LONG = 20
Show = Callable[[dict[str, Any]], None]
Print = Callable[[str], object]


def tracked(things: list[T]) -> Iterable[T]:
    """The things one by one; a long list of them with a bar, rate and time left."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if len(things) < LONG or not console.is_terminal:
        return things
    return track(things, "evaluating", console=console, transient=True)


@contextmanager
def result_shown(
    print_line: Callable[[str], object],
) -> Iterator[Callable[[int], Show]]:
    """What shows the results of a batch: called with how many, it gives what shows one.

    On a terminal that is a bar with rate and time left; anywhere else a line each, for
    a program to read: submission, lesson, status, score, highest score, by tabs.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda total: lambda record: _print(record, print_line)
        return
    with Progress(*_columns(), console=console, transient=True) as progress:

        def begin(total: int) -> Show:
            bar = progress.add_task("grading", total=total, rate="")
            return lambda record: _advance(progress, bar)

        yield begin


def result_line(record: dict[str, Any]) -> str:
    """A result as a line of fields between tabs."""
    names = ("submission", "lesson", "status", "score", "max_score")
    return "\t".join(one_line(str(record[name])) for name in names)


def _print(record: dict[str, Any], print_line: Print) -> None:
    print_line(result_line(record))


def _columns() -> list[Any]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}")
    rate = TextColumn("{task.fields[rate]}")
    return [text, BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()]


def _advance(progress: Any, bar: Any) -> None:
    task = progress.tasks[0]
    rate = f"{task.speed * 60:,.0f} a minute" if task.speed else ""
    progress.update(bar, advance=1, rate=rate)
