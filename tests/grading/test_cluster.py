"""A batch on a dask cluster of two workers: the same results, whatever dies."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labkit.checking.check import load_checker
from labkit.errors import LabError
from labkit.grading.batch import grade_all
from labkit.grading.cluster import connect, crowd_of
from labkit.grading.count import Count
from labkit.grading.handed_in import collect
from labkit.grading.journal import Journal
from labkit.grading.setup import begin
from tests.grading.batches import (
    LESSON,
    SEED,
    ForkedGrounds,
    graded,
    hand_in,
    right,
    scores,
    wrong,
)

distributed = pytest.importorskip(
    "distributed", reason="the extra `cluster` is not installed"
)
pytestmark = [
    pytest.mark.xdist_group("cluster"),
    # Its sockets and loops are dask's to close, and a killed worker closes none.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port
        silence_logs=50,
    ) as running:
        yield running


def graded_on(
    cluster: Any,
    folder: Path,
    out: Path,
    show: Callable[[dict[str, Any]], object] = lambda record: None,
) -> Count:
    journal, checkers = Journal(out), {LESSON: load_checker(LESSON)}
    try:
        seed = begin(journal, checkers, SEED)
        given = (collect([folder]), journal, checkers, seed, ForkedGrounds(), 2)
        crowd = crowd_of(cluster.scheduler_address, allow_weak=True)
        return grade_all(*given, lambda made: show, crowd)
    finally:
        journal.close()


def a_class(folder: Path, size: int) -> Path:
    codes = {f"s{n:02}": (right, wrong)[n % 2]() + f"\n# {n}" for n in range(size)}
    return hand_in(folder, **codes)


def pids(cluster: Any) -> list[int]:
    return [worker.pid for worker in cluster.workers.values()]


def test_two_workers_grade_as_one_machine_does(cluster: Any, tmp_path: Path) -> None:
    folder = a_class(tmp_path / "in", 10)
    count = graded_on(cluster, folder, tmp_path / "out")
    graded(folder, tmp_path / "alone")
    assert (count.results, count.labs_faults) == (10, 0)
    assert scores(tmp_path / "out") == scores(tmp_path / "alone")


def test_a_worker_that_is_killed_in_the_middle_costs_nothing(
    cluster: Any, tmp_path: Path
) -> None:
    folder, left = a_class(tmp_path / "in", 24), pids(cluster)
    shown: list[str] = []

    def kill_one(record: dict[str, Any]) -> None:
        shown.append(record["submission"])
        if len(shown) == 3:
            os.kill(left[0], signal.SIGKILL)

    count = graded_on(cluster, folder, tmp_path / "out", kill_one)
    assert sorted(shown) == [f"s{n:02}" for n in range(24)]
    assert (count.results, count.labs_faults) == (24, 0)
    graded(folder, tmp_path / "alone")
    assert scores(tmp_path / "out") == scores(tmp_path / "alone")


def test_a_submission_that_kills_its_workers_is_set_aside(
    cluster: Any, tmp_path: Path
) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob="deadly = 1", cy=wrong())
    cluster_wide = distributed.Client(cluster, set_as_default=False)
    plugin = DeadlyGrounds()
    cluster_wide.register_plugin(plugin)
    count = graded_on(cluster, folder, tmp_path / "out")
    again = graded_on(cluster, folder, tmp_path / "out")
    cluster_wide.close()
    assert (count.results, count.labs_faults, count.exit_code) == (3, 1, 2)
    assert again.fresh == 0


class DeadlyGrounds(distributed.WorkerPlugin):  # type: ignore[misc,name-defined]
    """Lets a worker die of a submission with "deadly" in it."""

    name = "deadly"

    def setup(self, worker: Any) -> None:
        from labkit.grading import cluster

        def die(submission: Any) -> None:
            if "deadly" in submission.cells[0].source:
                os.kill(os.getpid(), signal.SIGKILL)

        grounds = ForkedGrounds(die)
        cluster._grounds = lambda allow_weak: grounds  # type: ignore[assignment]


def test_a_worker_with_other_checkers_is_one_sentence(
    cluster: Any, tmp_path: Path
) -> None:
    folder = a_class(tmp_path / "in", 2)
    journal, checkers = Journal(tmp_path / "out"), {LESSON: load_checker(LESSON)}
    try:
        seed = begin(journal, checkers, SEED)
        assert journal.batch is not None
        journal.batch["lessons"][LESSON] = "of another version"
        given = (collect([folder]), journal, checkers, seed, ForkedGrounds(), 2)
        with pytest.raises(LabError, match="other checkers or recordings"):
            grade_all(*given, crowd=crowd_of(cluster.scheduler_address, True))
    finally:
        journal.close()


@pytest.mark.parametrize(
    "address", ["tcp://192.0.2.1:8786", "192.0.2.1:8786", "ucx://192.0.2.1:1"]
)
def test_an_open_scheduler_is_refused_before_anything_is_sent(address: str) -> None:
    with pytest.raises(LabError, match="anybody who reaches"):
        connect(address)


def test_tls_without_a_certificate_is_one_sentence() -> None:
    with pytest.raises(LabError, match="no certificate"):
        connect("tls://192.0.2.1:8786")


def test_a_cluster_without_workers_is_one_sentence() -> None:
    with (
        distributed.LocalCluster(
            n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as empty,
        pytest.raises(LabError, match="it has no workers"),
    ):
        connect(empty.scheduler_address)
