"""`labkit doctor`: does the lab work on this machine? Each finding by trying it."""

import os
import platform
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from labkit.errors import LabError
from labkit.lab import lab_folder, lessons, recording_files

QUESTION = "What would it cost to ship order NW-1041 to its destination?"
LOOP = """
from labkit import Agent, Result

class MyAgent(Agent):
    def run(self, question):
        result = Result(question, messages=[
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ])
        result.answer = self.call_model(result.messages).choices[0].message.content
        result.steps, result.stopped_by = 1, "answered"
        return result
"""


@dataclass(frozen=True)
class Finding:
    """One thing that was tried: whether it works, and what was seen."""

    name: str
    works: bool
    seen: str


def examine() -> list[Finding]:
    """Everything the lab needs, tried in order."""
    tried: list[tuple[str, Callable[[], str]]] = [
        ("Python", _python),
        ("openai", lambda: version("openai")),
        ("SQLite", lambda: sqlite3.sqlite_version),
        ("lab data", _data),
        ("replay", _replay),
        ("isolated check", _isolated),
        ("grading", _grading),
        ("live model", _live),
    ]
    return [_try(name, attempt) for name, attempt in tried]


def _try(name: str, attempt: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, attempt())
    except Exception as error:  # whatever is wrong is what the doctor is there to tell
        return Finding(name, False, str(error) or type(error).__name__)


def _python() -> str:
    return f"{platform.python_version()} on {platform.platform(terse=True)}"


def _data() -> str:
    found = f"lessons: {len(lessons())}, recordings: {len(list(recording_files()))}"
    if not lessons():
        raise LabError(f"no lessons under {lab_folder()}; install labkit again")
    return f"{found}, in {lab_folder()}"


def _replay() -> str:
    from labkit.replayed_run import run_replayed

    result = run_replayed(QUESTION).result
    if result.stopped_by != "answered":
        raise LabError(f"the finished agent was stopped by {result.stopped_by}")
    return f"the finished agent answered in {result.steps} steps"


def _isolated() -> str:
    from labkit.checking.evidence import Evidence
    from labkit.checking.process import Spawned
    from labkit.checking.scenario import run
    from labkit.checking.submission import Cell, Submission
    from labkit.checking.world import World

    submission = Submission("doctor", [Cell(LOOP, "doctor.py")], notebook=False)
    place = Spawned(submission, ["step"])
    try:
        seen: Evidence = place.perform(World(run("at_once", part="step")))
    finally:
        place.close()
    if len(seen.replies) != 1:
        raise LabError(f"a process of its own gave no answer ({seen.stopped})")
    return "a process of its own, with time and memory limits"


def _grading() -> str:
    """Which jail there is for strangers' code, tried from within."""
    from labkit.grading.canaries import try_canaries
    from labkit.grading.grounds import open_grounds

    try:
        grounds = open_grounds()
    except LabError as error:  # whoever only learns needs none
        return f"no jail for strangers' code: {error}"
    try:
        return f"{grounds.tier}: {try_canaries(grounds)}"
    finally:
        grounds.close()


def _live() -> str:
    """Whether a key is set; never the key."""
    if os.environ.get("OPENAI_API_KEY"):
        return "OPENAI_API_KEY is set"
    return "OPENAI_API_KEY is not set; nothing here needs it"
