"""Where the learner's code runs: here, in a fork, or in a process of its own."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from labkit.checking.channel import Channel, Closed, Malformed
from labkit.checking.evidence import Evidence
from labkit.checking.submission import Submission
from labkit.checking.world import World
from labkit.errors import LabError

if TYPE_CHECKING:
    from labkit.checking.loading import Loaded

GRACE = 0.5
STARTING_SECONDS = 60


@dataclass(frozen=True)
class Caps:
    """What one scenario may take: seconds by the clock, bytes of memory."""

    seconds: float = 5
    loading_seconds: float = 10
    memory: int = 1 << 30


@dataclass(frozen=True)
class Arrival:
    """What the learner's side said of itself after loading, or why it could not.

    `unwritten` says of each part that is not written why it does not count, `missing`
    of each name that is not defined what the code has instead.
    """

    unwritten: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    fault: dict[str, Any] | None = None
    stopped: str | None = None


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

        with library_not_written(self.parts):
            outcome = perform(_copied(world.order()), self.names, ask)
        seen = Evidence(world.end(), **outcome)
        if seen.raised and seen.raised["type"] == "KeyboardInterrupt":
            raise KeyboardInterrupt
        return seen

    def close(self) -> None:
        pass


class Child:
    """In another process, which is started again after it was stopped or crashed."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.channel: Channel | None = None
        self.pid = 0

    def start(self) -> Channel:
        """Start the process; its end of the conversation is what comes back."""
        raise NotImplementedError

    def introduce(self, channel: Channel) -> None:
        """Tell a process that knows nothing yet what it is for."""

    def arrive(self) -> Arrival:
        self.channel = self.start()
        reason = "broken"  # until the process says that it is ready, it is the lab's
        try:
            self.introduce(self.channel)
            self.channel.receive(time.monotonic() + STARTING_SECONDS)["ready"]
            reason = ""
            deadline = time.monotonic() + self.caps.loading_seconds
            return Arrival(**self.channel.receive(deadline)["loaded"])
        except (TimeoutError, Closed, Malformed, KeyError, TypeError) as error:
            self.kill()
            return Arrival(stopped=reason or _reason(error))

    def perform(self, world: World) -> Evidence:
        if self.channel is None and (arrival := self.arrive()).stopped:
            world.stop(arrival.stopped)
            return Evidence(world.end())
        try:
            outcome = self._converse(world)
            return Evidence(world.end(), **outcome)
        except (TimeoutError, Closed, Malformed, KeyError, TypeError) as error:
            world.stop(_reason(error))
            self.kill()
            return Evidence(world.end())

    def _converse(self, world: World) -> dict[str, Any]:
        """Answer the child until it says what came of its order."""
        assert self.channel is not None
        deadline = time.monotonic() + self.caps.seconds
        self.channel.send({"order": world.order()})
        while "outcome" not in (frame := self.channel.receive(deadline)):
            answer = world.answer(frame["ask"])
            if "stop" in answer:
                deadline = min(deadline, time.monotonic() + GRACE)
            self.channel.send({"answer": answer})
        outcome: dict[str, Any] = frame["outcome"]
        return outcome

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


class Forked(Child):
    """In a fork of this process, which has everything imported: the notebook's way."""

    def __init__(
        self, load: "Callable[[], Loaded]", parts: list[str], caps: Caps | None = None
    ) -> None:
        super().__init__(caps or Caps())
        self.load = load
        self.parts = parts

    def start(self) -> Channel:
        from labkit.checking import child  # imported before the fork, not in each

        ours, theirs = socket.socketpair()
        with warnings.catch_warnings(action="ignore"):  # a kernel always has threads
            self.pid = os.fork()
        if self.pid:
            theirs.close()
            return Channel(ours)
        try:
            ours.close()
            os.setpgid(0, 0)
            _keep_only(theirs)
            child.limit_memory(self.caps.memory)
            child.serve(Channel(theirs), self.parts, self.load)
        finally:
            os._exit(0)


class Spawned(Child):
    """In a new process with nothing of this one's environment: the command line's."""

    def __init__(
        self, submission: Submission, parts: list[str], caps: Caps | None = None
    ) -> None:
        super().__init__(caps or Caps())
        self.submission = submission
        self.parts = parts
        self.folder = tempfile.TemporaryDirectory(prefix="labkit-")

    def start(self) -> Channel:
        if sys.platform == "win32":
            raise LabError(
                "labkit check needs Linux or macOS; on Windows use lab.check in a "
                "notebook."
            )
        ours, theirs = socket.socketpair()
        fd = theirs.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "labkit.checking.child", str(fd)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env={"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"},
            pass_fds=[fd],
            start_new_session=True,
        )
        theirs.close()
        self.pid = self.process.pid
        return Channel(ours)

    def introduce(self, channel: Channel) -> None:
        first = {"memory": self.caps.memory, "parts": self.parts}
        channel.send({"submission": self.submission.to_json(), **first})

    def reap(self) -> None:
        self.process.wait()

    def close(self) -> None:
        super().close()
        self.folder.cleanup()


def _keep_only(stream: socket.socket) -> None:
    """In a fork: give up the parent's other sockets and pipes, and its terminal.

    What Python prints goes to the lab; what C code prints goes nowhere. Files the
    learner has open stay so.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    for fd in map(int, os.listdir("/dev/fd")):
        with suppress(OSError):
            mode = os.fstat(fd).st_mode
            if fd != stream.fileno() and (stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)):
                os.close(fd)


def _reason(error: Exception) -> str:
    """The outcome of a conversation that ended like this."""
    if isinstance(error, TimeoutError):
        return "timeout"
    return "crashed" if isinstance(error, Closed) else "tampered"


def _copied(frame: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(frame))
    return copy
