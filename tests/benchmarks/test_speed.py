"""What people wait for, measured; run with `make bench`.

Each figure is a ratio within one run, because machines and their moods differ. Nothing
here fails for being slow: the figures are printed, to be compared before and after.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import openai
import pytest

from labkit.authoring.verify import reference
from labkit.checking.check import load_checker
from labkit.checking.judge import judge
from labkit.checking.loading import Loaded
from labkit.checking.perform import perform
from labkit.checking.process import Forked
from labkit.checking.scenario import Run
from labkit.checking.world import World
from labkit.evals.trial import try_agent
from labkit.lab import recording_file
from labkit.replay.provider import Provider
from labkit.replay.recording import Recording, Turn, read_recording
from labkit.replay.transport import client_for
from labkit.shop import facts_for

pytestmark = pytest.mark.benchmark

ROUNDS = 15


def test_importing_labkit_over_a_bare_interpreter(capsys: Any) -> None:
    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    bare, ours = _in_turn(start("pass"), start("import labkit"))
    _say(capsys, "import labkit", f"{(ours - bare) * 1000:.0f} ms over a bare start")


def test_replay_with_all_rules_against_a_constant_reply(capsys: Any) -> None:
    recording = _recording("workspace_retries")
    run = Run(recording.name, part="step", agent="workspace", logs=False)
    requests = _requests(run)
    constant = recording.turns[-1]

    def ask_all(answer: Callable[[dict[str, Any]], Turn]) -> None:
        client = client_for(answer)
        for request in requests:
            client.chat.completions.create(**request)

    plain, replayed = _in_turn(
        lambda: ask_all(lambda request: constant),
        lambda: ask_all(Provider(recording, level="strict").answer),
    )
    _say(capsys, "replay / constant", f"{replayed / plain:.2f} (goal 1.3)")


def test_a_forked_check_against_its_completions_alone(capsys: Any) -> None:
    checker = load_checker("lesson_03_loop")
    names = reference(checker.parts)
    scenarios = {
        id(scenario): scenario
        for check in checker.checks
        for scenario in check.scenarios
        if isinstance(scenario, Run)
    }
    bare = [replace(scenario, logs=False) for scenario in scenarios.values()]
    work = [(_recording(s.recording), _requests(s)) for s in bare]

    def completions() -> None:
        for recording, requests in work:
            client = client_for(Provider(recording).answer)
            for request in requests:
                with suppress(openai.OpenAIError):  # one of them loses its provider
                    client.chat.completions.create(**request)

    def forked() -> None:
        place = Forked(lambda: Loaded(names), checker.parts)
        assert judge(checker, place, "reference").exit_code == 0

    alone, checked = _in_turn(completions, forked)
    goal = 2 * alone + 0.030
    text = f"{checked * 1000:.0f} ms, its completions alone {alone * 1000:.0f} ms"
    _say(capsys, "a forked check", f"{text} (goal {goal * 1000:.0f} ms)")


def test_replayed_evals_on_one_core(tmp_path: Path, capsys: Any) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("from labkit import Agent\n\nclass MyAgent(Agent): pass\n")
    three = {"question": "What did I pay?", "recording": "after_error", "tools": []}
    cases = [{"id": str(number), "numbers": [], **three} for number in range(400)]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        trials = [try_agent(agent, cases, threshold=1) for _ in range(3)]
    finally:
        os.sched_setaffinity(0, cores)
    rates = [len(cases) / sum(t.seconds for t in trial.tried) for trial in trials]
    assert all(trial.report.exit_code == 0 for trial in trials)
    text = f"{statistics.median(rates):.0f} cases a second of three completions"
    _say(capsys, "labkit eval, one core", f"{text} (goal 200)")


def _in_turn(a: Callable[[], object], b: Callable[[], object]) -> tuple[float, float]:
    """The median seconds of two calls, run alternately after one warm-up each."""
    a(), b()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for call, kept in zip((a, b), times):
            started = time.perf_counter()
            call()
            kept.append(time.perf_counter() - started)
    return statistics.median(times[0]), statistics.median(times[1])


def _recording(name: str) -> Recording:
    return read_recording(recording_file(name), facts_for(seed=0))


def _requests(scenario: Run) -> list[dict[str, Any]]:
    """The requests that the finished agent makes in a scenario."""
    world = World(scenario)
    try:
        perform(world.order(), reference(["step"]), world.answer)
        assert world.provider is not None
        return [dict(request) for request in world.provider.requests]
    finally:
        world.end()


def _say(capsys: Any, name: str, figure: str) -> None:
    with capsys.disabled():
        print(f"\n{name}: {figure}")
