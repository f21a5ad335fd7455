"""Where the learner's code runs; whichever place it is, the evidence is the same."""

import json
import os
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from labkit.checking.evidence import Evidence
from labkit.checking.world import World


@dataclass(frozen=True)
class Caps:
    """What one scenario may take: seconds by the clock, bytes of memory.

    Loading has seconds of its own. In a jail, seconds of the processor count as well.
    """

    seconds: float = 5
    loading_seconds: float = 10
    memory: int = 1 << 30
    cpu_seconds: float = 2
    loading_cpu_seconds: float = 4


@dataclass(frozen=True)
class Arrival:
    """What the learner's side said of itself after loading, or why it could not.

    `unwritten` says of each part that is not written why it does not count, `missing`
    of each name that is not defined what the code has instead. `where` says at which
    line the code was when it was stopped, if that is known.
    """

    unwritten: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    fault: dict[str, Any] | None = None
    stopped: str | None = None
    where: str = ""


def scratch_folder() -> "TemporaryDirectory[str]":
    """A folder for one place's files; in memory where it can, for each line is synced.

    It is gone when it is closed.
    """
    memory = "/dev/shm"
    usable = os.path.isdir(memory) and os.access(memory, os.W_OK | os.X_OK)
    return TemporaryDirectory(prefix="labkit-", dir=memory if usable else None)


class Place(Protocol):
    """Somewhere to run a scenario; whichever it is, the evidence is the same."""

    def arrive(self) -> Arrival:
        """Load the learner's code, once."""

    def perform(self, world: World) -> Evidence:
        """Let the learner's code carry out the world's order."""

    def close(self) -> None:
        """End what still runs."""


class Here:
    """In this process: the browser's way, and Windows'. Only the call limit ends it."""

    def __init__(self, names: dict[str, Any], parts: list[str]) -> None:
        self.names = names
        self.parts = parts

    def arrive(self) -> Arrival:
        from labkit.checking.child import summary
        from labkit.checking.loading import Loaded

        return Arrival(**summary(Loaded(self.names), self.parts))

    def perform(self, world: World) -> Evidence:
        from labkit.checking.perform import perform
        from labkit.checking.written import library_not_written

        def ask(question: dict[str, Any]) -> dict[str, Any]:
            return _copied(world.answer(_copied(question)))

        with scratch_folder() as folder:
            order = _copied(world.order() | {"folder": folder})
            with library_not_written(self.parts):
                outcome = perform(order, self.names, ask)
        seen = Evidence(world.end(), **outcome)
        if seen.raised and seen.raised["type"] == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return seen

    def close(self) -> None:
        pass


def _copied(frame: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(frame))
    return copy
