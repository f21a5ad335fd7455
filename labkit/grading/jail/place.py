"""The jailed place: learner's code in a confined process, judged from outside."""

import os
import signal
import time
from collections.abc import Callable
from typing import Any

from labkit.checking.channel import Channel, Closed
from labkit.checking.child_process import Child, Spent
from labkit.checking.place import Caps
from labkit.checking.submission import Submission
from labkit.grading.jail.frames import TooMuch
from labkit.grading.jail.session import ENDING_SECONDS, Session

SLICE = 0.1  # seconds between two looks at the clock of the processor
TRIES = 3  # the template may have been killed meanwhile; a new one is started


class Jailed(Child):
    """In a fork of the template, confined; `open_session` starts one."""

    def __init__(
        self,
        open_session: Callable[[], Session],
        submission: Submission,
        parts: list[str],
        home: str,
        caps: Caps,
    ) -> None:
        super().__init__(caps)
        self.open_session = open_session
        self.submission = submission
        self.parts = parts
        self.home = home
        self.session: Session | None = None
        self.cpu_end: float | None = None
        self.next_look = 0.0

    def folder_name(self) -> str:
        return self.home

    def start(self) -> Channel:
        self.cpu_end = None
        for _ in range(TRIES):
            self.session = session = self.open_session()
            if session.started():
                session.channel.look = self._look_at_the_clock
                session.channel.look_seconds = SLICE
                self.pid = session.pid
                return session.channel
            session.close()
            if session.fault:
                break
        raise Closed(session.fault or "no process could be started")

    def introduce(self, channel: Channel) -> None:
        rest = {"asked": None, "beside": None, "shortcut": False}
        first = {"submission": self.submission.to_json(), "parts": self.parts, **rest}
        channel.send(first, time.monotonic() + ENDING_SECONDS)

    def begin(self, cpu_seconds: float) -> None:
        assert self.session is not None
        super().begin(cpu_seconds)
        self.cpu_end = self.session.cpu_seconds() + cpu_seconds

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next frame; TimeoutError past the deadline or the processor time."""
        if time.monotonic() > self.next_look:
            self._look_at_the_clock()
        return super().receive(deadline)

    def _look_at_the_clock(self) -> None:
        assert self.session is not None
        self.next_look = time.monotonic() + SLICE
        if self.cpu_end is not None and self.session.cpu_seconds() > self.cpu_end:
            raise Spent

    def reason(self, error: Exception) -> tuple[str, str]:
        session = self.session
        if session is None or self.channel is None:
            return "crashed", str(error)  # it was never started
        if isinstance(error, TooMuch):
            return "output", "all in all, it sent more than anybody keeps"
        files = {cell.name for cell in self.submission.cells}
        if isinstance(error, TimeoutError):
            return "timeout", _stood(session.line(files))
        if isinstance(error, Closed):
            return self._crash(session, files)
        return super().reason(error)

    def _crash(self, session: Session, files: set[str]) -> tuple[str, str]:
        """What the end of a process means, which nobody had asked to end."""
        session.wait(1)
        if session.status is None:
            return "crashed", "it closed the lab's stream"
        if os.WIFSIGNALED(session.status):
            number = os.WTERMSIG(session.status)
            if number in (signal.SIGXCPU, signal.SIGKILL) and self._spent():
                return "timeout", ""
            line = session.line(files, ask=False)
            return "crashed", " ".join(filter(None, (_stood(line), _name(number))))
        from labkit.grading.jail.confined import NOT_SHUT

        code = os.WEXITSTATUS(session.status)
        if code == NOT_SHUT and (words := session.last_words()):
            return "crashed", words
        return "crashed", f"exit status {code}"

    def _spent(self) -> bool:
        """Whether the process ended by using up its processor time."""
        from labkit.grading.jail.limits import CPU_SECONDS

        return self.session is not None and self.session.cpu > CPU_SECONDS - 1

    def kill(self) -> None:
        if self.channel is not None and self.session is not None:
            self.session.close()
        self.channel = None
        self.session = None


def _stood(line: str) -> str:
    return f"it was at {line}" if line else ""


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
