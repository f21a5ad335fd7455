"""The whole agent with what a learner wrote in it, on a recording, to be looked at."""

import asyncio
import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from labkit import agent as finished
from labkit.agent import Agent, EvalReport
from labkit.agents import kit_for
from labkit.checking.evidence import Evidence
from labkit.checking.loading import Loaded
from labkit.checking.place import Caps, Place
from labkit.checking.process import nearest_place
from labkit.checking.scenario import Run, Scenario, call, fixture
from labkit.checking.whole import lent_parts, whole_agent
from labkit.checking.world import World
from labkit.checking.written import VALUES
from labkit.display.face import is_live
from labkit.errors import LabError
from labkit.live.model import Ask, LiveModel
from labkit.replay import find_recording
from labkit.replay.recording import Recording
from labkit.replayed_run import tools_used

# A run in a notebook has the limits a learner's agent would have.
STOCK_LIMITS = {"steps": 8, "tool_calls": 20, "tokens": 20_000, "result_chars": 8_000}
# Whoever is asked may take an hour.
PATIENT = Caps(seconds=3600)
Person = Callable[[str, dict[str, Any], str], bool]
NO_THREADS = "the browser edition cannot wait for a click, so what needs one is denied"


@dataclass(frozen=True)
class Watched:
    """What was seen of a run, and the notes that belong above it."""

    seen: Evidence
    notes: list[str]


@dataclass(frozen=True)
class Whole:
    """What a learner wrote, completed by the finished agent: a place to run it in."""

    names: dict[str, Any]
    place: Place
    notes: list[str]

    def on(self, recording: Recording, **how: Any) -> Watched:
        """One run on a recording; `how` as for a `Run`."""
        return self.perform(World(self.scenario(recording, **how), recording=recording))

    def scenario(self, recording: Recording, **how: Any) -> Run:
        """The whole agent on a recording, with the tools that it asks for."""
        kit = kit_for(tools_used(recording))
        return Run(recording.name, "", kit, **{"limits": STOCK_LIMITS, **how})

    def asking(self, recording: Recording) -> Watched:
        """One run on a recording; where `ask` was written, `ask` alone."""
        if "ask" not in self.names:
            return self.on(recording)
        args = (fixture("client"), recording.question)
        scenario = call("ask", *args, recording=recording.name)
        return self.perform(World(scenario, recording=recording))

    def evaluating(self, cases: list[dict[str, Any]], threshold: float) -> Watched:
        """What `evaluate` reports on cases that the finished agent answers."""
        fields = [field.name for field in dataclasses.fields(EvalReport)]
        scenario = call("evaluate", fixture("replayed"), cases, threshold)
        return self.perform(World(scenario.reading(*fields)))

    def live(self, question: str, agent: str, ask: Ask) -> Watched:
        """One run on a live model, which `ask` asks, with that agent's tools."""
        scenario = Run("live", "", agent, limits=STOCK_LIMITS)
        return self.perform(World(scenario, provider=LiveModel(question, ask)))

    def perform(self, world: World) -> Watched:
        """What is seen while the learner's code does what the world orders."""
        return Watched(self.place.perform(world), self.notes)


@contextmanager
def whole(things: Any, parts: list[str], caps: Caps | None = None) -> Iterator[Whole]:
    """The learner's things with the finished parts that are not written yet."""
    names = named(things)
    lent = lent_parts(names, parts)
    notes = [
        f"{part} is not written yet: the finished one acts"
        for part in lent
        if not _is_demonstration(names.get("MyAgent"), part)
    ]
    with whole_agent(names, parts) as complete:
        place = nearest_place(lambda: Loaded(complete), [], caps)
        place.arrive()  # while the finished parts stand where the learner's are missing
        try:
            yield Whole(names, place, notes)
        finally:
            place.close()


def right_run(scenario: Scenario, seed: int = 0) -> Evidence:
    """What is seen when the finished code does what a scenario asks for.

    That is one right run; there may be others. Raises LabError where the scenario's
    recording is not there or damaged.
    """
    names = {name: getattr(finished, name) for name in finished.__all__}
    names |= {"MyAgent": Agent, **VALUES}
    place = nearest_place(lambda: Loaded(names), [])
    try:
        return place.perform(World(scenario, seed))
    finally:
        place.close()


def _is_demonstration(agent: Any, part: str) -> bool:
    """Whether a class of another name leaves a part as it is, and means to."""
    name = getattr(agent, "__name__", "MyAgent")
    return name != "MyAgent" and getattr(agent, part, 0) is getattr(Agent, part, 1)


def things_and_recording(written: Any, method: str) -> tuple[list[Any], Recording]:
    """What was given to a method that takes what was written, then a recording."""
    *things, name = written or (None,)
    if not things or not isinstance(name, str):
        raise LabError(
            f"{method} takes what you wrote and then a recording's name, such as "
            f'lab.{method}(MyAgent, "shipping_chain").'
        )
    return things, find_recording(name)


def named(written: Any) -> dict[str, Any]:
    """Each thing a learner wrote under the name it is judged by."""
    names: dict[str, Any] = {}
    for thing in written:
        if isinstance(thing, type):
            names["MyAgent"] = thing
        elif isinstance(thing, dict):
            names["LOOKUP_ORDER"] = thing
        elif hasattr(thing, "__name__"):
            names[thing.__name__] = thing
        else:
            kind = type(thing).__name__
            raise LabError(
                f"a {kind} cannot be checked; give the class or the function itself, "
                "without quotes and without calling it."
            )
    return names


async def attended(agent: Whole, recording: Recording) -> Watched:
    """One run on a recording with a person beside it, who is asked for approval.

    The run is in a thread, so that a click can reach the kernel meanwhile. Where there
    are no buttons, or no threads, everything is denied.
    """
    if not is_live():
        return agent.on(recording, approve=False)
    if sys.platform == "emscripten":
        denied = agent.on(recording, approve=False)
        return Watched(denied.seen, [*denied.notes, NO_THREADS])
    from labkit.display.panels.approval import approval_panel

    with approval_panel() as ask:
        world = Attended(agent.scenario(recording, approve=True), recording, ask)
        return await asyncio.to_thread(agent.perform, world)


class Attended(World):
    """A world with a person in it, who is asked for approval."""

    def __init__(self, scenario: Scenario, recording: Recording, person: Person):
        self.person = person
        super().__init__(scenario, recording=recording)

    def _approves(self, name: str, args: dict[str, Any], reason: str) -> bool:
        return self.person(name, args, reason)
