"""An agent on eval cases: each one replayed, watched from outside, and scored."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from labkit.agent import EvalReport, Result, evaluate
from labkit.agent_file import agent_in
from labkit.agents import kit_for
from labkit.checking.ending import STOPPED, said
from labkit.checking.evidence import Evidence
from labkit.checking.place import Place
from labkit.checking.scenario import Run
from labkit.checking.world import World
from labkit.evals.cases import Case
from labkit.live.model import LIVE, Ask, LiveModel
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
    ask: Ask | None = None,
) -> Trial:
    """The trial of the `MyAgent` in a file on these cases, replayed.

    `track` sees each case go by, for a progress bar. With `ask`, that answers each
    request, here and not in the agent's process: a live model, say. Raises LabError if
    the file holds no agent that can be loaded.
    """
    started = time.perf_counter()
    tried: list[Tried] = []
    with agent_in(file, LIVE if ask else None) as place:

        def run(case: Case) -> Result:
            begun = time.perf_counter()
            result = None
            try:
                result = _run(place, case, seed, ask)
                return result
            finally:
                tried.append(Tried(case, result, time.perf_counter() - begun))

        report = evaluate(run, track(cases), threshold)
    seconds = time.perf_counter() - started
    return Trial(file.stem, seed, threshold, report, tried, seconds)


def _run(place: Place, case: Case, seed: int, ask: Ask | None) -> Result:
    """What a case's run came to, by what was seen of it; raises what the run raised."""
    recording = _recording(case["recording"], seed)
    header = recording.header | {"question": case["question"]}
    recording = replace(recording, header=header)
    kit = kit_for(tools_used(recording))
    scenario = Run(recording.name, "", kit, limits=STOCK_LIMITS, logs=False)
    live = LiveModel(case["question"], ask) if ask else None
    seen = place.perform(World(scenario, seed, recording, live))
    return result_of(seen, case["question"])


def result_of(seen: Evidence, question: str) -> Result:
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
        question=question,
        answer=str(claimed.answer or ""),
        steps=len(seen.replies),
        tool_calls=ran,
    )


@lru_cache(maxsize=4096)
def _recording(name: str, seed: int) -> Recording:
    return find_recording(name, seed)
