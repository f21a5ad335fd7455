"""Learner's code in another process: forked from this one, or spawned afresh."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from labkit.checking import claims
from labkit.checking.channel import Channel, Closed, Malformed
from labkit.checking.evidence import Evidence
from labkit.checking.place import Arrival, Caps, Here, Place, scratch_folder
from labkit.checking.submission import Submission
from labkit.checking.world import World
from labkit.errors import LabError

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from labkit.checking.loading import Loaded

GRACE = 0.5
STARTING_SECONDS = 60


class Child:
    """In another process, which is started again after it was stopped or crashed."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.channel: Channel | None = None
        self.pid = 0

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
        """The next frame; TimeoutError past the deadline, even if one is waiting."""
        assert self.channel is not None
        if time.monotonic() > deadline:
            raise TimeoutError
        return self.channel.receive(deadline)

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
    """In a new process with nothing of this one's environment: the command line's.

    `asked` are the names that count, as a rule those of the parts; what lies in the
    folder `beside` may be imported; `shortcut` is for many requests, see
    `labkit.replay.shortcut`.
    """

    def __init__(
        self,
        submission: Submission,
        parts: list[str],
        caps: Caps | None = None,
        asked: list[str] | None = None,
        beside: Path | None = None,
        shortcut: bool = False,
    ) -> None:
        super().__init__(caps or Caps())
        self.submission = submission
        self.parts = parts
        self.asked = asked
        self.beside = beside
        self.shortcut = shortcut

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
            cwd=self.folder_name(),
            env={"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"},
            pass_fds=[fd],
            start_new_session=True,
        )
        theirs.close()
        self.pid = self.process.pid
        return Channel(ours)

    def introduce(self, channel: Channel) -> None:
        first = {
            "memory": self.caps.memory,
            "parts": self.parts,
            "asked": self.asked,
            "beside": str(self.beside.absolute()) if self.beside else None,
            "shortcut": self.shortcut,
        }
        channel.send({"submission": self.submission.to_json(), **first})

    def reap(self) -> None:
        self.process.wait()


def nearest_place(
    load: "Callable[[], Loaded]", parts: list[str], caps: Caps | None = None
) -> Place:
    """A fork of this process where the system can fork, otherwise this process."""
    if sys.platform in ("emscripten", "win32"):
        return Here(load().names, parts)
    return Forked(load, parts, caps)


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


class _Unanswerable(Exception):
    """The lab itself could not answer; that is never the learner's fault."""


def _answer(world: World, question: dict[str, Any]) -> dict[str, Any]:
    try:
        return world.answer(question)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = f"{type(error).__name__} in {where.name}, line {where.lineno}"
        raise _Unanswerable(f"the lab has no answer to what it asked: {name}") from None
