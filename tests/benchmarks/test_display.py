"""How long drawing takes, and how large it is; like `test_speed`, printed only."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from labkit.checking.evidence import Evidence
from labkit.display.beside import beside
from labkit.display.conversation import conversation
from labkit.display.face import Face
from tests.display.runs import long_run, one_lookup

pytestmark = pytest.mark.benchmark

ROUNDS = 15
REQUESTS = 100  # of two new messages each


def test_drawing_two_hundred_messages(capsys: Any) -> None:
    _draw(capsys, "200 messages", lambda: _conversation(long_run(REQUESTS)))


def test_drawing_two_hundred_long_messages(capsys: Any) -> None:
    content = '{"row": "storage crate, solid oak"}' * 230
    _draw(
        capsys, "200 long messages", lambda: _conversation(long_run(REQUESTS, content))
    )


def test_drawing_a_result_of_two_megabytes(capsys: Any) -> None:
    _draw(
        capsys, "a result of 2 MB", lambda: _conversation(one_lookup("x" * 2_000_000))
    )


def test_drawing_two_hundred_messages_beside_others(capsys: Any) -> None:
    def both() -> Face:
        found = beside(long_run(REQUESTS), long_run(REQUESTS, "[]"))
        assert found is not None
        return found

    _draw(capsys, "200 messages beside 200", both)


def _conversation(seen: Evidence) -> Face:
    return conversation(seen, [])


def _draw(capsys: Any, what: str, draw: Callable[[], Face]) -> None:
    """Print the median seconds of drawing, and the bytes that a notebook keeps."""
    face, times = draw(), []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        draw()
        times.append(time.perf_counter() - started)
    size = (len(face.html.encode()) + len(face.text.encode())) / 1000
    took = statistics.median(times) * 1000
    with capsys.disabled():
        print(f"\n{what}: drawn in {took:.0f} ms (goal 1000), {size:.0f} kB")
