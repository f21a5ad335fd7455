"""A time-out runs again only where a busy machine may have caused it."""

from pathlib import Path

import pytest

from labkit.grading import grader
from tests.grading.batches import graded, hand_in, results, right
from tests.grading.test_batch import Killed, killing

SLEEPS = "import time\ntime.sleep(60)\n"


@pytest.mark.parametrize(("waited", "runs"), [(1.5, 1), (None, 2)])
def test_it_runs_twice_where_nobody_tells_how_long_it_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waited: float | None, runs: int
) -> None:
    monkeypatch.setattr(grader, "waited", lambda pid: waited)
    graded(hand_in(tmp_path / "in", ann=SLEEPS), tmp_path / "out")
    record = results(tmp_path / "out")["ann"]
    assert record["grading"]["attempt"] == runs
    assert record["grading"]["flaky"] is False
    assert record["checks"][0]["outcome"] == "timeout"


def test_a_suspect_that_is_uncertain_too_runs_twice_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "waited", lambda pid: None)
    folder = hand_in(tmp_path / "in", ann=SLEEPS, bob=right())
    with pytest.raises(Killed):
        graded(folder, tmp_path / "out", killing("sleep(60)"))
    count = graded(folder, tmp_path / "out")
    assert count.results == 2
    assert results(tmp_path / "out")["ann"]["grading"]["attempt"] == 3
