"""Submissions written in a test, and places to run them in."""

from collections.abc import Callable, Iterator
from textwrap import dedent

import pytest

from labkit.authoring.verify import reference
from labkit.checking.check import Checker, load_checker
from labkit.checking.loading import Loaded, asked_names, load
from labkit.checking.place import Caps, Here, Place
from labkit.checking.process import Forked
from labkit.checking.submission import Cell, Submission

GIVEN = """
from labkit import Agent, Result, parse_tool_calls

class MyAgent(Agent):
    def run(self, question):
"""

PlaceFor = Callable[..., Place]


def code_of(body: str) -> Submission:
    """A file whose agent has this body of `run`."""
    indented = "\n".join(f"        {line}" for line in dedent(body).splitlines())
    return Submission("answer", [Cell(GIVEN + indented, "answer.py")], notebook=False)


@pytest.fixture(scope="session")
def lesson_3() -> Checker:
    return load_checker("lesson_03_loop")


@pytest.fixture
def forked() -> Iterator[PlaceFor]:
    """Make places in which a body of `run` stands, and end them with the test."""
    places: list[Place] = []

    def made(body: str, **caps: float) -> Place:
        submission = code_of(body).to_json()
        limits = Caps(**caps)  # type: ignore[arg-type]
        asked = asked_names(["step"])
        places.append(Forked(lambda: load(submission, asked), ["step"], limits))
        return places[-1]

    yield made
    for place in places:
        place.close()


@pytest.fixture(params=["here", "forked"])
def finished(request: pytest.FixtureRequest) -> Iterator[Place]:
    """The finished agent, in this process and in a fork."""
    names = reference(["step"])
    place: Place = Here(names, ["step"])
    if request.param == "forked":
        place = Forked(lambda: Loaded(names), ["step"])
    yield place
    place.close()
