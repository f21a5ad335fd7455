"""The jail from outside: what it leaves behind, survives, and says."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labkit.checking.place import Caps
from labkit.checking.scenario import run
from labkit.checking.submission import Cell, Submission
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.grading import grounds
from labkit.grading.grounds import Jail, open_grounds
from tests.grading.hostile.case import GOOD
from tests.grading.hostile.case import run as running

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="jails are Linux'"),
    pytest.mark.xdist_group("jail"),
]
AT_ONCE = run("at_once", part="step")


@pytest.fixture(scope="module", params=["namespaces", "landlock"])
def jail(request: pytest.FixtureRequest) -> Iterator[Jail]:
    opened = Jail(request.param, Caps(seconds=60))
    assert opened.fault() == ""
    yield opened
    opened.close()


def submitted(code: str) -> Submission:
    return Submission("alice", [Cell(code, "alice.py")], notebook=False)


def answer_of(jail: Jail, code: str) -> object:
    place = jail.place(submitted(code), ["step"])
    try:
        seen = place.perform(World(AT_ONCE))
    finally:
        place.close()
    assert (seen.stopped, seen.raised) == (None, None)
    return seen.returned


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds within ten seconds; the kernel takes its time to clean up."""
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        os.sched_yield()
    return holds()


def children_of(pid: int) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found += [int(name), *children_of(int(name))]
    return found


def test_a_right_answer_gives_the_evidence_of_any_other_place(jail: Jail) -> None:
    place = jail.place(submitted(GOOD), ["step"])
    try:
        seen = place.perform(World(run("shipping_chain", part="step")))
    finally:
        place.close()
    assert seen.result is not None
    assert seen.result["stopped_by"] == "answered"
    assert [line["tool"] for line in seen.trace] == [r.name for r in seen.tool_runs]


def test_nothing_is_open_in_there_but_the_stream_and_files_of_its_own(
    jail: Jail,
) -> None:
    code = """
        import os
        found = {}
        for fd in range(64):
            try:
                found[str(fd)] = os.readlink(f"/proc/self/fd/{fd}").split(":")[0]
            except OSError:
                pass
        return found
    """
    found = answer_of(jail, running(code))
    assert isinstance(found, dict)
    assert [found.pop(str(fd)) for fd in (0, 1, 2)] == ["/dev/null"] * 3
    kinds = [kind.partition(" ")[0] for kind in found.values()]
    assert kinds[:4] == ["socket", "pipe", "/memfd", "/memfd"]
    # What is left is a descriptor of asyncio's or the like, which it opened itself.
    assert len(kinds) == 4


def test_the_environment_in_there_is_our_own(
    jail: Jail, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = answer_of(jail, running("import os\nreturn dict(os.environ)"))
    assert isinstance(found, dict)
    assert found.keys() <= {
        *("PATH", "LC_ALL", "HOME", "TMPDIR", "OPENBLAS_NUM_THREADS", "MPLBACKEND")
    }


def test_each_draws_numbers_of_its_own(jail: Jail) -> None:
    code = running("import random\nreturn random.random()")
    assert answer_of(jail, code) != answer_of(jail, code)


def test_nobody_in_there_is_root(jail: Jail) -> None:
    code = running("""
        import os
        status = open("/dev/null")
        return [os.getuid(), os.getgid(), os.getgroups()]
    """)
    found = answer_of(jail, code)
    assert isinstance(found, list)
    assert 0 not in found[:2]


def test_nothing_is_left_when_a_place_is_closed(jail: Jail) -> None:
    place = jail.place(submitted(GOOD), ["step"])
    place.arrive()
    assert jail.template is not None
    template = jail.template.process.pid
    before = set(os.listdir("/proc/self/fd"))
    assert len(children_of(template)) >= 2
    place.close()
    assert eventually(lambda: not children_of(template))
    assert len(set(os.listdir("/proc/self/fd"))) < len(before)


def test_a_template_that_was_killed_is_replaced(jail: Jail) -> None:
    assert jail.template is not None
    jail.template.process.kill()
    jail.template.process.wait()
    assert answer_of(jail, GOOD) is not None


def test_a_submission_outlives_the_template_it_came_from(jail: Jail) -> None:
    place = jail.place(submitted(GOOD), ["step"])
    place.arrive()
    assert jail.template is not None
    jail.template.process.kill()
    try:
        assert place.perform(World(AT_ONCE)).result is not None
    finally:
        place.close()


def test_an_old_template_is_replaced(
    jail: Jail, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer_of(jail, GOOD) is not None
    old = jail.template
    monkeypatch.setattr(grounds, "FORKS_OF_ONE", 1)
    assert answer_of(jail, GOOD) is not None
    assert jail.template is not old


def test_a_step_that_fails_ends_it_before_the_submission_is_read(jail: Jail) -> None:
    broken = Jail(jail.tier, Caps(memory=-(1 << 50)))  # a limit nobody can set
    try:
        assert "AssertionError" in broken.fault()
        place = broken.place(submitted(GOOD), ["step"])
        seen = place.perform(World(AT_ONCE))
        place.close()
    finally:
        broken.close()
    assert seen.stopped == "broken"
    assert not seen.requests


def test_without_a_jail_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LabError, match="allow weak isolation"):
        open_grounds(jails=())
    weak = open_grounds(allow_weak=True, jails=())
    assert weak.tier == "weak"
    weak.close()


def test_closed_grounds_start_nothing() -> None:
    opened = open_grounds()
    opened.close()
    arrival = opened.place(submitted(GOOD), ["step"])
    with pytest.raises(LabError, match="closed"):
        arrival.arrive()


def test_closing_the_grounds_ends_what_still_runs() -> None:
    opened = Jail("landlock", Caps())
    place = opened.place(submitted(GOOD), ["step"])
    place.arrive()
    assert opened.template
    family = children_of(opened.template.process.pid)
    opened.close()
    assert place.perform(World(AT_ONCE)).stopped == "crashed"
    place.close()
    assert len(family) == 2
    assert eventually(lambda: not any(map(_lives, family)))


GRADER = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from labkit.grading.grounds import open_grounds
from tests.grading.test_jail import AT_ONCE, World, running, submitted
grounds = open_grounds()
def grade():
    code = running("import time\\nprint('here', flush=True)\\ntime.sleep(3600)")
    grounds.place(submitted(code), ["step"]).perform(World(AT_ONCE))
threads = [threading.Thread(target=grade) for _ in range(3)]
for thread in threads:
    thread.start()
print("running", flush=True)
threads[0].join()
"""


def test_a_killed_grader_leaves_no_process_behind() -> None:
    project = str(Path(__file__).parents[2])
    grader = subprocess.Popen(
        [sys.executable, "-c", GRADER, project], stdout=subprocess.PIPE
    )
    assert grader.stdout
    assert grader.stdout.readline() == b"running\n"
    # A template, and for each submission one who waits and one who is confined.
    assert eventually(lambda: len(children_of(grader.pid)) == 7)
    family = children_of(grader.pid)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    grader.stdout.close()
    assert eventually(lambda: not any(map(_lives, family)))


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_importing_the_grounds_is_for_every_system() -> None:
    code = (
        "import sys; sys.platform = 'win32'\n"
        "for name in ('fcntl', 'resource', 'ctypes'): sys.modules[name] = None\n"
        "import labkit.grading.grounds, json\n"
        "print(json.dumps(sorted(n for n in sys.modules if 'jail' in n)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []
