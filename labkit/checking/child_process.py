"""The lab's side of a process in which learner's code runs: it asks, we answer."""

import os
import signal
import time
import traceback
from contextlib import suppress
from functools import cached_property
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from labkit.checking import claims
from labkit.checking.channel import Channel, Closed, Malformed
from labkit.checking.evidence import Evidence
from labkit.checking.place import Arrival, Caps, scratch_folder
from labkit.checking.world import World

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

GRACE = 0.5
STARTING_SECONDS = 60
NOTICEABLE = 0.02
LONGEST_QUEUE = 20  # seconds; a machine that busy is nobody's to wait for


class Spent(TimeoutError):
    """The processor's time is used up; no waiting can change that."""


class Child:
    """In another process, which is started again after it was stopped or crashed."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.channel: Channel | None = None
        self.pid = 0
        self.queued_before = 0.0
        self.queued = 0.0

    @cached_property
    def folder(self) -> "TemporaryDirectory[str]":
        """The folder for the process's files."""
        return scratch_folder()

    def folder_name(self) -> str:
        """The folder for the process's files, as the process knows it."""
        return self.folder.name

    def start(self) -> Channel:
        """Start the process; its end of the conversation is what comes back."""
        raise NotImplementedError

    def introduce(self, channel: Channel) -> None:
        """Tell a process that knows nothing yet what it is for."""

    def begin(self, cpu_seconds: float) -> None:
        """From here on, the process may take this many seconds of the processor."""
        self.queued_before = waited(self.pid) or 0.0
        self.queued = 0.0

    def reason(self, error: Exception) -> tuple[str, str]:
        """The outcome of a conversation that ended like this, and where the code was.

        The process has not been killed yet.
        """
        if isinstance(error, TimeoutError):
            return "timeout", ""
        return ("crashed" if isinstance(error, Closed) else "tampered"), ""

    def arrive(self) -> Arrival:
        ready = False  # until the process says that it is, what goes wrong is the lab's
        try:
            self.channel = self.start()
            self.introduce(self.channel)
            self.receive(time.monotonic() + STARTING_SECONDS)["ready"]
            ready = True
            self.begin(self.caps.loading_cpu_seconds)
            deadline = time.monotonic() + self.caps.loading_seconds
            return Arrival(**claims.arrived(self.receive(deadline)))
        except (TimeoutError, Closed, Malformed, KeyError) as error:
            reason, where = self.reason(error)
            self.kill()
            return Arrival(stopped=reason if ready else "broken", where=where)

    def perform(self, world: World) -> Evidence:
        if self.channel is None and (arrival := self.arrive()).stopped:
            world.stop(arrival.stopped, arrival.where)
            return Evidence(world.end())
        try:
            outcome = self._converse(world)
            return Evidence(world.end(), **outcome)
        except (TimeoutError, Closed, Malformed) as error:
            world.stop(*self.reason(error))
        except _Unanswerable as error:
            world.stop("broken", str(error))
        self.kill()
        return Evidence(world.end())

    def _converse(self, world: World) -> dict[str, Any]:
        """Answer the child until it says what came of its order."""
        assert self.channel is not None
        self.begin(self.caps.cpu_seconds)
        deadline = time.monotonic() + self.caps.seconds
        order = world.order() | {"folder": self.folder_name()}
        id = token_hex(8)  # or an outcome might be sent before it was asked for
        self.channel.send({"order": order, "id": id}, deadline)
        while "outcome" not in (frame := self.receive(deadline)):
            answer = _answer(world, claims.asked(frame))
            if "stop" in answer:
                deadline = min(deadline, time.monotonic() + GRACE)
            if "tell" not in frame:
                self.channel.send({"answer": answer}, deadline)
        return claims.outcome(frame, id)

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next frame; TimeoutError past the deadline, even if one is waiting.

        While the process stands in the queue for a processor, its clock stands still:
        no learner pays for a busy machine.
        """
        assert self.channel is not None
        while True:
            if time.monotonic() <= deadline + self.queued:
                try:
                    return self.channel.receive(deadline + self.queued)
                except Spent:
                    raise
                except TimeoutError:
                    pass
            queued = (waited(self.pid) or 0.0) - self.queued_before
            queued = min(queued, LONGEST_QUEUE)
            if queued < self.queued + NOTICEABLE:
                raise TimeoutError
            self.queued = queued

    def kill(self) -> None:
        """End the process with all it started; the next scenario gets a new one."""
        if self.channel is None:
            return
        self.channel.close()
        self.channel = None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.reap()

    def reap(self) -> None:
        """Wait for the killed process, so that none is left over."""
        os.waitpid(self.pid, 0)

    def close(self) -> None:
        self.kill()
        if "folder" in vars(self):
            self.folder.cleanup()


class _Unanswerable(Exception):
    """The lab itself could not answer; that is never the learner's fault."""


def _answer(world: World, question: dict[str, Any]) -> dict[str, Any]:
    try:
        return world.answer(question)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = f"{type(error).__name__} in {where.name}, line {where.lineno}"
        raise _Unanswerable(f"the lab has no answer to what it asked: {name}") from None


def waited(pid: int) -> float | None:
    """How long a process's first thread stood in the queue for a processor, in seconds.

    None if nobody tells.
    """
    try:
        with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return None
