"""On a busy machine a process has as much time as on an idle one."""

import os
import subprocess
import sys
import time

import pytest

from labkit.checking import child_process
from labkit.checking.child_process import waited
from labkit.checking.evidence import Evidence
from labkit.checking.loading import Loaded
from labkit.checking.place import Caps
from labkit.checking.process import Forked
from labkit.checking.scenario import FunctionCall
from labkit.checking.world import World

PAUSE = 0.4


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_how_long_a_process_stood_in_the_queue_is_known() -> None:
    seconds = waited(os.getpid())
    assert seconds is not None
    assert 0 <= seconds < 3600


def test_of_a_process_that_is_gone_nothing_is_known() -> None:
    done = subprocess.Popen([sys.executable, "-c", "pass"])
    done.wait()
    assert waited(done.pid) is None


def test_time_in_the_queue_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([0.0, 0.0, 15.0])  # while it is loaded, when it begins, when time is up
    monkeypatch.setattr(child_process, "waited", lambda pid: next(told, 15.0))
    seen = _paused()
    assert (seen.stopped, seen.returned) == (None, "awake")


@pytest.mark.parametrize("told", [None, 0.01])
def test_other_time_counts(monkeypatch: pytest.MonkeyPatch, told: float | None) -> None:
    monkeypatch.setattr(child_process, "waited", lambda pid: told)
    assert _paused().stopped == "timeout"


def _paused() -> Evidence:
    def pause() -> str:
        time.sleep(PAUSE)
        return "awake"

    loaded = Loaded({"pause": pause})
    place = Forked(lambda: loaded, ["pause"], Caps(seconds=PAUSE / 4))
    place.arrive()
    seen = place.perform(World(FunctionCall("pause"), seed=1))
    place.close()
    return seen
