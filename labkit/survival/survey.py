"""One agent on every failure: what it did with each, and whether it survived."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from labkit.agent_file import agent_in
from labkit.checking.evidence import Evidence
from labkit.checking.loading import Loaded
from labkit.checking.place import Caps, Place
from labkit.checking.process import nearest_place
from labkit.checking.scenario import Run
from labkit.checking.world import World
from labkit.replay import Recording
from labkit.survival.verdict import losses, refunded
from labkit.watched import STOCK_LIMITS

CAPS = Caps(seconds=2)
# An agent that hangs everywhere would take minutes; this often is enough to know.
MOST_HANGS = 3
Track = Callable[[list[Recording]], Iterable[Recording]]


@dataclass(frozen=True)
class Outcome:
    """What an agent did with one failure, and why that is a loss, if it is one.

    `ending` says in words how it ended, `stopped_by` is its stop reason, if any.
    """

    failure: Recording
    reasons: list[str]
    ending: str
    stopped_by: str | None = None
    tools: list[str] = field(default_factory=list)
    refunded: float = 0.0
    requests: int = 0
    refused: int = 0

    @property
    def survived(self) -> bool:
        return not self.reasons


@dataclass(frozen=True)
class Survey:
    """One agent on the failures of a seed, in order."""

    agent: str
    seed: int
    outcomes: list[Outcome]
    seconds: float

    @property
    def lost(self) -> list[Outcome]:
        """What was not survived."""
        return [outcome for outcome in self.outcomes if not outcome.survived]

    @property
    def exit_code(self) -> int:
        """0 if there is no loss, otherwise 1."""
        return 1 if self.lost else 0


def survey_file(
    file: Path, failures: list[Recording], seed: int = 0, track: Track = iter
) -> Survey:
    """The `MyAgent` of a file on these failures; LabError if there is none in it.

    `track` sees each failure go by, for a progress bar.
    """
    with agent_in(file, CAPS) as place:
        return survey(place, file.stem, failures, seed, track)


def survey_finished(
    failures: list[Recording], seed: int = 0, track: Track = iter
) -> Survey:
    """The finished agent on these failures."""
    from labkit.agent import Agent

    return survey_class(Agent, "the finished agent", failures, seed, track)


def survey_tutorial(failures: list[Recording], seed: int = 0) -> Survey:
    """A typical tutorial's agent on these failures."""
    from labkit.survival.tutorial import MyAgent

    return survey_class(MyAgent, "a tutorial's agent", failures, seed)


def survey_class(
    agent: type,
    name: str,
    failures: list[Recording],
    seed: int = 0,
    track: Track = iter,
) -> Survey:
    """A class on these failures, in the nearest place it can run."""
    place = nearest_place(lambda: Loaded({"MyAgent": agent}), [], CAPS)
    with closing(place):
        place.arrive()
        return survey(place, name, failures, seed, track)


def survey(
    place: Place,
    name: str,
    failures: list[Recording],
    seed: int = 0,
    track: Track = iter,
) -> Survey:
    """The agent that waits in a place on these failures, one after the other."""
    started = time.perf_counter()
    outcomes: list[Outcome] = []
    hangs = 0
    for failure in track(failures):
        if hangs == MOST_HANGS:
            reason = f"not tried, for it hung {hangs} times before"
            outcomes.append(Outcome(failure, [reason], "was not tried"))
            continue
        seen = place.perform(World(scenario(failure), seed, failure))
        hangs += seen.stopped == "timeout"
        outcomes.append(_outcome(failure, seen))
    return Survey(name, seed, outcomes, time.perf_counter() - started)


def scenario(failure: Recording) -> Run:
    """What is done with an agent: it answers the question, as the header sets it up."""
    setup, right = failure.header.get("setup", {}), failure.header["right"]
    _, most = right.get("requests", [1, len(failure.turns)])
    return Run(
        failure.name,
        "",
        limits=STOCK_LIMITS | setup.get("limits", {}),
        options=setup.get("options", {}),
        level=setup.get("level", "openai"),
        expected=max(most, len(failure.turns)),
        instead=setup.get("instead", {}),
        logs=False,
    )


def _outcome(failure: Recording, seen: Evidence) -> Outcome:
    return Outcome(
        failure,
        losses(failure.header["right"], seen),
        _ending(seen),
        str(stop) if (stop := (seen.result or {}).get("stopped_by")) else None,
        tools=[run.name for run in seen.tool_runs],
        refunded=refunded(seen),
        requests=len(seen.requests),
        refused=sum(request.refusal is not None for request in seen.requests),
    )


def _ending(seen: Evidence) -> str:
    """How it ended, in words."""
    if seen.stopped:
        return f"ended by the lab ({seen.stopped})"
    if seen.raised:
        return f"raised {seen.raised['type']}"
    if seen.result is None:
        return "gave back no Result"
    return f"stopped by {seen.result.get('stopped_by')}"
