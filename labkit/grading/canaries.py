"""Submissions of our own that try what strangers' might; the jail must refuse it."""

from labkit.checking.evidence import Evidence
from labkit.checking.scenario import run
from labkit.checking.submission import Cell, Submission
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.grading.grounds import Grounds

ATTEMPTS = """
import ctypes, os, pathlib, socket
import labkit
from labkit import Agent
from labkit.lab import lab_folder
from labkit.replay import find_recording

LAB = pathlib.Path(labkit.__file__)


def a_process():
    if os.fork() == 0:
        os._exit(0)


def another_process():
    if not any(_answers(pid) for pid in range(2, 5000) if pid != os.getpid()):
        raise LookupError


def _answers(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def a_check():
    checks = lab_folder() / "checkers"
    (checks / "lesson_03_loop.py").read_text()


def a_mount():
    if ctypes.CDLL(None).mount(None, b"/", None, 32, None):
        raise PermissionError


ATTEMPTS = {
    "read a check": a_check,
    "read a recording": lambda: find_recording("at_once"),
    "read a user's files": lambda: open("/etc/passwd").read(),
    "read the processes": lambda: open("/proc/self/status").read(),
    "change the lab": lambda: open(LAB, "a"),
    "change a file's mode": lambda: os.chmod(LAB, 0o644),
    "open a socket": socket.socket,
    "start a process": a_process,
    "start a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "reach another process": another_process,
    "mount something": a_mount,
    "see a key": lambda: next(name for name in os.environ if "KEY" in name),
}


class MyAgent(Agent):
    def run(self, question):
        return [name for name, attempt in ATTEMPTS.items() if self._works(attempt)]

    def _works(self, attempt):
        try:
            attempt()
        except BaseException:
            return False
        return True
"""
ENDLESS = """
from labkit import Agent

class MyAgent(Agent):
    def run(self, question):
        while True: pass
"""


def try_canaries(grounds: Grounds) -> str:
    """What held, in a few words; LabError names what did not."""
    seen = _perform(grounds, ATTEMPTS)
    if seen.returned != []:
        what = seen.returned or seen.raised or seen.stopped
        raise LabError(f"code in the jail could do what it must not: {what}")
    stuck = _perform(grounds, ENDLESS)
    if stuck.stopped != "timeout":
        raise LabError(f"an endless loop was not stopped in time ({stuck.stopped})")
    where = f": {stuck.where}" if stuck.where else ""
    tried = ATTEMPTS.count('": ')
    return f"{tried} ways out are shut; an endless loop was stopped{where}"


def _perform(grounds: Grounds, code: str) -> Evidence:
    submission = Submission("canary", [Cell(code, "canary.py")], notebook=False)
    place = grounds.place(submission, ["step"])
    try:
        return place.perform(World(run("at_once", part="step")))
    finally:
        place.close()
