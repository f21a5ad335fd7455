"""Wherever learner's code runs, it is limited, and the evidence is the same."""

import os
import time
from pathlib import Path

import pytest

from labkit.checking.place import Here, Place
from labkit.checking.process import Forked, Spawned
from labkit.checking.scenario import Run, run
from labkit.checking.world import World
from tests.checking.conftest import PlaceFor, code_of

CHAIN = run("shipping_chain", part="step")
AT_ONCE = run("at_once", part="step")


def stopped(place: Place, scenario: Run = AT_ONCE) -> str | None:
    return place.perform(World(scenario)).stopped


def test_here_and_forked_give_the_same_evidence(finished: Place) -> None:
    seen = finished.perform(World(CHAIN))
    assert [event["event"] for event in seen.events if event["event"] != "trace"] == [
        "started",
        *["request", "reply", "tool_started", "tool_ended"] * 3,
        *["request", "reply", "ended"],
    ]
    assert seen.result is not None
    assert seen.result["stopped_by"] == "answered"
    assert [call.name for call in seen.tool_runs] == [
        "lookup_order",
        "shipping_rate",
        "calculator",
    ]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("while True: pass", "timeout"),
        ("import time; time.sleep(60)", "timeout"),
        ("while True:\n try:\n  pass\n except BaseException:\n  pass", "timeout"),
        ("return str(sum(range(10**13)))", "timeout"),
        ("while True: print('x' * 1000)", "output"),
        ("import os; os._exit(0)", "crashed"),
        ("import os; os.kill(os.getpid(), 9)", "crashed"),
    ],
)
def test_what_does_not_end_by_itself_is_ended_and_named(
    forked: PlaceFor, body: str, outcome: str
) -> None:
    # Only a time-out is waited for; the rest must not depend on the machine's load.
    seconds = 0.4 if outcome == "timeout" else 60
    assert stopped(forked(body, seconds=seconds)) == outcome


def test_a_list_that_grows_for_ever_is_a_matter_of_memory(forked: PlaceFor) -> None:
    place = forked(
        "x = []\nwhile True: x.append('y' * 10**6)", memory=200 << 20, seconds=60
    )
    raised = place.perform(World(AT_ONCE)).raised
    assert raised is not None
    assert (raised["type"], raised["line"]) == ("MemoryError", "line 7")


def test_a_loop_that_asks_for_ever_is_ended_by_counting(forked: PlaceFor) -> None:
    body = """
    messages = [{"role": "user", "content": question}]
    while True:
        try:
            self.complete(messages)
        except Exception:
            pass
    """
    seen = forked(body, seconds=60).perform(World(AT_ONCE))
    assert seen.stopped == "runaway"
    assert len(seen.requests) == 5


def test_a_loop_that_swallows_even_the_stop_is_ended(forked: PlaceFor) -> None:
    body = """
    while True:
        try:
            self.complete([{"role": "user", "content": question}])
        except:
            pass
    """
    assert stopped(forked(body, seconds=60)) == "runaway"


def test_after_a_stop_the_next_scenario_gets_a_new_process(forked: PlaceFor) -> None:
    body = """
    if question.startswith("Hello"):
        import os
        os._exit(1)
    return "still here"
    """
    place = forked(body)
    assert stopped(place) == "crashed"
    assert place.perform(World(CHAIN)).returned == "still here"


def test_junk_on_the_labs_stream_is_tampering(forked: PlaceFor) -> None:
    body = """
    import os
    for fd in range(3, 64):
        try:
            os.write(fd, b"\\xff" * 64)
        except OSError:
            pass
    return "x"
    """
    assert stopped(forked(body)) == "tampered"


def test_an_exception_is_told_with_type_message_and_line(forked: PlaceFor) -> None:
    seen = forked("x = 1\nraise KeyError('price')").perform(World(AT_ONCE))
    assert seen.raised == {
        "type": "KeyError",
        "message": "'price'",
        "line": "line 7",
        "code": "raise KeyError('price')",
    }


def test_an_exception_whose_text_cannot_be_read_is_still_told(forked: PlaceFor) -> None:
    body = """
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError
    raise Odd
    """
    raised = forked(body).perform(World(AT_ONCE)).raised
    assert raised is not None
    assert raised["type"] == "Odd"


def test_input_says_why_there_is_nobody_to_answer(forked: PlaceFor) -> None:
    raised = forked("return input('answer? ')").perform(World(AT_ONCE)).raised
    assert raised is not None
    assert raised["message"] == ("input() has nobody to answer it while a check runs")


def test_prints_are_kept_in_order_with_what_happened(forked: PlaceFor) -> None:
    body = """
    print("before")
    self.functions["lookup_order"](order_id="NW-1041")
    print("after")
    """
    seen = forked(body).perform(World(AT_ONCE))
    kinds = [event["event"] for event in seen.events]
    assert kinds[1:] == ["printed", "tool_started", "tool_ended", "printed", "ended"]
    assert seen.printed == "before\nafter\n"


def test_a_wrong_argument_name_raises_as_the_tool_itself_would(
    forked: PlaceFor,
) -> None:
    seen = forked("self.functions['lookup_order'](id='x')").perform(World(AT_ONCE))
    assert seen.raised is not None
    assert seen.raised["type"] == "TypeError"
    assert "'id'" in seen.raised["message"] or "order_id" in seen.raised["message"]
    assert seen.tool_runs == []


def test_nothing_of_the_environment_reaches_a_spawned_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-learners")
    body = """
    import os
    own = open("/proc/self/environ").read() if os.path.exists("/proc") else ""
    return [sorted(os.environ), "not-for-learners" in own, os.listdir(".")]
    """
    place = Spawned(code_of(body), ["step"])
    try:
        seen = place.perform(World(AT_ONCE))
    finally:
        place.close()
    assert seen.returned == [["LC_ALL", "PYTHONHASHSEED"], False, []]


def test_what_a_submission_started_is_killed_with_it(tmp_path: Path) -> None:
    body = f"""
    import subprocess, time
    child = subprocess.Popen(["sleep", "600"])
    open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
    time.sleep(600)
    """
    place = Spawned(code_of(body), ["step"])
    place.caps = type(place.caps)(seconds=2)
    assert stopped(place) == "timeout"
    place.close()
    assert gone(int((tmp_path / "pid").read_text()))


def gone(pid: int) -> bool:
    """Whether a process ends within five seconds (a zombie has ended)."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists():
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z":
                return True
    return False


def test_the_finished_code_is_its_own_again_after_a_check_here() -> None:
    from labkit import agent

    code = agent.Agent.step.__code__
    place = Here({"MyAgent": agent.Agent}, ["step"])
    assert place.perform(World(AT_ONCE)).not_started
    assert agent.Agent.step.__code__ is code


def test_a_submission_that_never_finishes_loading_is_a_timeout() -> None:
    def load() -> None:
        while True:
            pass

    place = Forked(load, ["step"])  # type: ignore[arg-type]
    place.caps = type(place.caps)(loading_seconds=0.3)
    assert place.arrive().stopped == "timeout"
    place.close()


def test_a_thread_left_over_cannot_ask_in_the_next_scenario(forked: PlaceFor) -> None:
    body = """
    import threading
    def nag():
        while True:
            self.functions["lookup_order"](order_id="NW-1041")
    threading.Thread(target=nag, daemon=True).start()
    return question
    """
    place = forked(body)
    for scenario in (AT_ONCE, CHAIN):
        seen = place.perform(World(scenario))
        assert seen.stopped is None
        assert isinstance(seen.returned, str)


def test_a_process_that_dies_before_it_is_ready_is_not_the_learners_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    place = Spawned(code_of("pass"), ["step"])
    assert place.arrive().stopped == "broken"
    place.close()


def test_a_learner_who_replaces_json_harms_nobody_else(forked: PlaceFor) -> None:
    body = """
    import json
    json.dumps = json.loads = None
    return question
    """
    assert (
        forked(body).perform(World(AT_ONCE)).returned
        == "Hello! What can you do for me?"
    )
