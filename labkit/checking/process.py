"""Learner's code in another process: forked from this one, or spawned afresh."""

import os
import socket
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.checking.channel import Channel
from labkit.checking.child_process import Child
from labkit.checking.place import Caps, Here, Place
from labkit.checking.submission import Submission
from labkit.errors import LabError

if TYPE_CHECKING:
    from labkit.checking.loading import Loaded


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
