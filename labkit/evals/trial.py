"""An agent on eval cases: each one replayed, watched from outside, and scored."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from labkit.agent import EvalReport, Result, evaluate
from labkit.agents import kit_for
from labkit.checking.ending import STOPPED, said
from labkit.checking.evidence import Evidence
from labkit.checking.place import Arrival, Place
from labkit.checking.process import Spawned
from labkit.checking.scenario import Run
from labkit.checking.submission import read_submission
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.evals.cases import Case
from labkit.replay import Recording, find_recording
from labkit.replayed_run import tools_used
from labkit.watched import STOCK_LIMITS


@dataclass(frozen=True)
class Tried:
    """One case as it went: what the run came to, and how long it took in seconds."""

    case: Case
    result: Result | None
    seconds: float


@dataclass(frozen=True)
class Trial:
    """All cases of one agent: the report, and each case as it went."""

    agent: str
    seed: int
    threshold: float
    report: EvalReport
    tried: list[Tried] = field(default_factory=list)
    seconds: float = 0.0


def try_agent(
    file: Path,
    cases: list[Case],
    threshold: float,
    seed: int = 0,
    track: Callable[[list[Case]], Iterable[Case]] = iter,
) -> Trial:
    """The trial of the `MyAgent` in a file on these cases, replayed.

    `track` sees each case go by, for a progress bar. Raises LabError if the file holds
    no agent that can be loaded.
    """
    started = time.perf_counter()
    submission = read_submission(file)
    place = Spawned(
        submission, [], asked=["MyAgent"], beside=file.parent, shortcut=True
    )
    tried: list[Tried] = []
    with closing(place):
        _require_agent(file, place.arrive())

        def run(case: Case) -> Result:
            begun = time.perf_counter()
            result = None
            try:
                result = _run(place, case, seed)
                return result
            finally:
                tried.append(Tried(case, result, time.perf_counter() - begun))

        report = evaluate(run, track(cases), threshold)
    seconds = time.perf_counter() - started
    return Trial(submission.name, seed, threshold, report, tried, seconds)


def _require_agent(file: Path, arrival: Arrival) -> None:
    if arrival.stopped:
        raise LabError(f"{file}: {STOPPED[arrival.stopped]} (while loading).")
    if arrival.missing:
        fault = arrival.fault
        if fault:
            where = f"{fault['line']}: " if fault["line"] else ""
            raise LabError(f"{file}: {where}{fault['type']}: {fault['message']}")
        close = f" (it has {name})" if (name := arrival.missing["MyAgent"]) else ""
        raise LabError(f"{file}: there is no MyAgent in it{close}; name your class so.")


def _run(place: Place, case: Case, seed: int) -> Result:
    """What a case's run came to, by what was seen of it; raises what the run raised."""
    recording = _recording(case["recording"], seed)
    header = recording.header | {"question": case["question"]}
    recording = replace(recording, header=header)
    kit = kit_for(tools_used(recording))
    scenario = Run(recording.name, "", kit, limits=STOCK_LIMITS, logs=False)
    return _result(place.perform(World(scenario, seed, recording)), case)


def _result(seen: Evidence, case: Case) -> Result:
    """The Result; steps and tool calls are those that were seen, not those claimed."""
    if seen.stopped:
        raise RuntimeError(STOPPED[seen.stopped])
    if raised := seen.raised:
        # By its own name, which may be a class that only the agent's file knows.
        raise type(raised["type"], (Exception,), {})(raised["message"])
    if seen.result is None:
        raise TypeError(f"run gave back {said(seen.returned)}, not a Result")
    claimed = Result(**seen.result)
    ran = [
        {"name": r.name, "arguments": r.args, "result": r.result}
        for r in seen.tool_runs
    ]
    return replace(
        claimed,
        question=case["question"],
        answer=str(claimed.answer or ""),
        steps=len(seen.replies),
        tool_calls=ran,
    )


@lru_cache(maxsize=4096)
def _recording(name: str, seed: int) -> Recording:
    return find_recording(name, seed)
