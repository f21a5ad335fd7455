"""A confined process as the lab holds it: its stream, its leash, its last words."""

import json
import os
import re
import select
import socket
import time
from contextlib import suppress
from typing import Any

from labkit.checking.plain import place
from labkit.grading.jail.frames import Measured

LAST_WORDS = 0.3  # seconds in which a stuck process may say where it is
ENDING_SECONDS = 10
LONGEST = 1 << 16
FRAME = re.compile(r'  File "([^"]*)", line (\d+) in ')


class Session:
    """One confined process; whoever closes this ends it.

    `status` is how it ended, as `os.wait` gives it, None while it lives.
    """

    def __init__(self, stream: socket.socket, leash: socket.socket, diagnosis: int):
        self.channel = Measured(stream)
        self.leash = leash
        self.diagnosis = diagnosis
        self.pid = 0
        self.fault = ""
        self.status: int | None = None
        self.cpu = 0.0
        os.set_blocking(diagnosis, False)

    def started(self) -> bool:
        """Whether a process was started; if not, `fault` says why, if anybody did."""
        said = self._told(ENDING_SECONDS)
        self.fault = str(said.get("fault", ""))
        self.pid = int(said.get("pid", 0))
        return self.pid > 0

    def cpu_seconds(self) -> float:
        """The processor time it has used; of any process, the system tells that."""
        with suppress(OSError):
            return time.clock_gettime(~self.pid << 3 | 2)
        return self.cpu

    def wait(self, seconds: float) -> None:
        """Give it this long to end by itself."""
        if self.status is None and "status" in (said := self._told(seconds)):
            self.status, self.cpu = int(said["status"]), float(said["cpu"])

    def line(self, files: set[str], ask: bool = True) -> str:
        """At which line of these files its code is, or was when it crashed."""
        if ask:
            self._read()
            with suppress(OSError):
                self.leash.send(b"where")
        text, end = "", time.monotonic() + (LAST_WORDS if ask else 0)
        while not (found := _innermost(text, files)) and time.monotonic() < end:
            select.select([self.diagnosis], [], [], LAST_WORDS / 10)
            text += self._read()
        return found or _innermost(text + self._read(), files)

    def last_words(self) -> str:
        """The last line that it wrote of why it could not be confined."""
        return (self._read().strip().splitlines() or [""])[-1][:300]

    def unleash(self) -> None:
        """Have it killed, and do not wait."""
        with suppress(OSError):
            self.leash.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End it, wait until nothing of it is left, and let everything go."""
        self.channel.close()
        self.unleash()
        self.wait(ENDING_SECONDS)
        self.leash.close()
        os.close(self.diagnosis)

    def _told(self, seconds: float) -> dict[str, Any]:
        """What the one who waits for it says next, or nothing."""
        self.leash.settimeout(seconds)
        try:
            said = self.leash.recv(4096)
        except OSError:  # TimeoutError among them
            return {}
        found: dict[str, Any] = json.loads(said) if said else {}
        return found

    def _read(self) -> str:
        """What has been written to the diagnosis until now; its writer may lie."""
        data = b""
        with suppress(BlockingIOError):
            while len(data) < LONGEST and (piece := os.read(self.diagnosis, LONGEST)):
                data += piece
        return data.decode("utf-8", errors="replace")


def _innermost(text: str, files: set[str]) -> str:
    """The place of the innermost frame in one of the files, the main thread's first."""
    for thread in reversed(text.split("hread 0x")):
        for name, line in FRAME.findall(thread):
            if name in files:
                return place(name, int(line))
    return ""
