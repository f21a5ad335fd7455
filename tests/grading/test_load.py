"""A time-out is tried again only where a busy machine may have caused it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.grading import load
from tests.grading.batches import graded, hand_in, results, right

SLEEPS = "import time\ntime.sleep(60)\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_how_long_a_process_stood_in_the_queue_is_known() -> None:
    seconds = load.waited(os.getpid())
    assert seconds is not None
    assert 0 <= seconds < 3600


def test_of_a_process_that_is_gone_nothing_is_known() -> None:
    done = subprocess.Popen([sys.executable, "-c", "pass"])
    done.wait()
    assert load.waited(done.pid) is None


@pytest.mark.parametrize(("waited", "runs"), [(0.01, 1), (1.5, 2), (None, 2)])
def test_who_was_kept_waiting_gets_a_second_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waited: float | None, runs: int
) -> None:
    monkeypatch.setattr(load, "waited", lambda pid: waited)
    graded(hand_in(tmp_path / "in", ann=SLEEPS), tmp_path / "out")
    record = results(tmp_path / "out")["ann"]
    assert record["grading"]["attempt"] == runs
    assert record["grading"]["flaky"] is False
    assert record["checks"][0]["outcome"] == "timeout"


def test_a_suspect_that_is_uncertain_too_runs_twice_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.grading.test_batch import Killed, killing

    monkeypatch.setattr(load, "waited", lambda pid: None)
    folder = hand_in(tmp_path / "in", ann=SLEEPS, bob=right())
    with pytest.raises(Killed):
        graded(folder, tmp_path / "out", killing("sleep(60)"))
    count = graded(folder, tmp_path / "out")
    assert count.results == 2
    assert results(tmp_path / "out")["ann"]["grading"]["attempt"] == 3
