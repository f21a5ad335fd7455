"""How many right submissions of lesson 3 a minute, each in a jail of its own."""

import gc
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

from labkit.checking.check import load_checker
from labkit.checking.judge import judge
from labkit.checking.place import Caps
from labkit.checking.submission import Cell, Submission
from labkit.grading.grounds import JAILS, Jail
from labkit.replay import find_recording
from tests.grading.hostile.case import GOOD

pytestmark = pytest.mark.benchmark

EACH = 150
SLOTS = 3


@pytest.fixture(params=JAILS)
def jail(request: pytest.FixtureRequest) -> Iterator[Jail]:
    opened = Jail(request.param, Caps())
    if fault := opened.fault():
        pytest.skip(f"no {request.param} here: {fault}")
    yield opened
    opened.close()


def test_right_submissions_of_lesson_3_a_minute(jail: Jail, capsys: Any) -> None:
    checker = load_checker("lesson_03_loop")
    submission = Submission("alice", [Cell(GOOD, "alice.py")], notebook=False)
    find = cache(find_recording)

    def grade(_: int) -> int:
        place = jail.place(submission, checker.parts)
        return judge(checker, place, "alice", seed=7, find=find).score

    gc.collect()
    gc.freeze()
    started, before = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(SLOTS) as slots:
        scores = list(slots.map(grade, range(EACH)))
    seconds = time.perf_counter() - started
    ours = (time.process_time() - before) / EACH * 1000
    gc.unfreeze()
    assert statistics.mean(scores) == 12
    with capsys.disabled():
        print(
            f"\n{jail.tier}: {EACH / seconds * 60:.0f} a minute with {SLOTS} slots; "
            f"{ours:.0f} ms of the grader's own for each"
        )
