"""Where a batch's submissions run: in a jail if the system can build one."""

import array
import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from labkit.checking.place import Caps, Place
from labkit.checking.submission import Cell, Submission
from labkit.errors import LabError

if TYPE_CHECKING:
    from labkit.grading.jail.session import Session

JAILS = ("namespaces", "landlock")
STARTING_SECONDS = 60
FORKS_OF_ONE = 1000  # then a fresh template, whatever the old one gathered
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0"}
FAIR_SHARE = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}


class Grounds(Protocol):
    """Somewhere to run many submissions; may be used from several threads at once.

    `tier` says how well it holds: "namespaces", "landlock" or "weak".
    """

    tier: str

    def place(self, submission: Submission, parts: list[str]) -> Place:
        """A place of its own for one submission."""

    def close(self) -> None:
        """End whatever still runs."""


def open_grounds(
    allow_weak: bool = False, jails: tuple[str, ...] = JAILS, caps: Caps | None = None
) -> Grounds:
    """The best grounds this system has; each is tried with a submission of our own.

    Without a jail that holds: LabError, or the weak grounds where they are allowed.
    """
    faults = []
    for tier in jails if sys.platform == "linux" else ():
        jail = Jail(tier, caps or Caps())
        if not (fault := jail.fault()):
            return jail
        jail.close()
        faults.append(f"{tier}: {fault}")
    if not allow_weak:
        why = "; ".join(faults) or f"{sys.platform} has none"
        raise LabError(
            "Here is no jail for code that strangers wrote, so nothing was run "
            f"({why}); grade on another Linux, or allow weak isolation."
        )
    from labkit.grading.weak import WeakGrounds

    return WeakGrounds()


class Jail:
    """Confined forks of one warm template, which is started again when it is lost."""

    def __init__(self, tier: str, caps: Caps) -> None:
        self.tier = tier
        self.caps = caps
        self.lock = Lock()
        self.template: _Template | None = None
        self.open: set[Session] = set()
        self.closed = False

    def place(self, submission: Submission, parts: list[str]) -> Place:
        from labkit.grading.jail.place import Jailed
        from labkit.grading.jail.view import SCRATCH

        home = str(SCRATCH) if self.tier == "namespaces" else "/"
        return Jailed(self.session, submission, parts, home, self.caps)

    def session(self) -> "Session":
        """A new confined process, or its fault; LabError if none can be had."""
        with self.lock:
            if self.closed:
                raise LabError("The grounds are closed; open them again.")
            found = self._asked() or self._asked(again=True)
            assert found is not None
            self.open = {kept for kept in self.open if kept.leash.fileno() >= 0}
            self.open.add(found)
        return found

    def fault(self) -> str:
        """Why no submission can run here, or "" if one did."""
        place = self.place(Submission("probe", [Cell("", "probe.py")], False), [])
        try:
            arrival = place.arrive()
        except LabError as error:
            return str(error)
        finally:
            place.close()
        return (arrival.where or "no reason given") if arrival.stopped else ""

    def close(self) -> None:
        with self.lock:
            self.closed = True
            for session in self.open:
                session.unleash()
            if self.template:
                self.template.close()
                self.template = None

    def _asked(self, again: bool = False) -> "Session | None":
        """A session of the template, which is replaced if it is old, or was lost."""
        if self.template and (again or self.template.forks >= FORKS_OF_ONE):
            self.template.close()
            self.template = None
        if not self.template:
            self.template = _Template(self.tier, self.caps)
        try:
            return self.template.session()
        except OSError:
            if again:
                raise LabError("The template process does not live.") from None
            return None


class _Template:
    """The template process and the socket on which it takes orders."""

    def __init__(self, tier: str, caps: Caps) -> None:
        self.forks = 0
        self.control, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        fd = theirs.fileno()
        settings = {"namespaces": tier == "namespaces", "caps": asdict(caps)}
        module = ["-P", "-s", "-B", "-m", "labkit.grading.template"]
        self.process = subprocess.Popen(
            [sys.executable, *module, str(fd), json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            env=ENVIRONMENT | FAIR_SHARE,
            pass_fds=[fd],
            start_new_session=True,  # Ctrl-C is the grader's to handle
        )
        theirs.close()
        self._wait_until_warm()

    def _wait_until_warm(self) -> None:
        self.control.settimeout(STARTING_SECONDS)
        try:
            said = self.control.recv(1 << 16)
            fault = json.loads(said).get("fault") if said else self._last_words()
        except OSError as error:
            fault = str(error)
        if fault:
            self.close()
            raise LabError(f"the template process could not start ({fault})")

    def _last_words(self) -> str:
        """What Python said as it ended."""
        assert self.process.stderr
        lines = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it ended"

    def session(self) -> "Session":
        from labkit.grading.jail.session import Session

        leash, their_leash = socket.socketpair(type=socket.SOCK_SEQPACKET)
        stream, their_stream = socket.socketpair()
        diagnosis, their_diagnosis = os.pipe()
        theirs = [their_leash.fileno(), their_stream.fileno(), their_diagnosis]
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", theirs))
        session = Session(stream, leash, diagnosis)
        try:
            self.control.sendmsg([b"fork"], [rights])
        except OSError:
            their_leash.close()
            session.close()
            raise
        finally:
            their_leash.close()
            their_stream.close()
            os.close(their_diagnosis)
        self.forks += 1
        return session

    def close(self) -> None:
        """Let it end; what it has forked is held by other leashes."""
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr
        self.process.stderr.close()
