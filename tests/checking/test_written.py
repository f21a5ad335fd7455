"""What counts as written."""

from typing import Any

import pytest

from labkit import agent
from labkit.agent import Agent
from labkit.checking.written import (
    NotStarted,
    is_stub,
    library_not_written,
    written_parts,
)


class Starter(Agent):
    def step(self, result: Any) -> Any:
        """What a starter looks like."""
        # TODO: about 14 lines


class Todo(Agent):
    def step(self, result: Any) -> Any:
        raise NotImplementedError("about 14 lines")


class WholeLoop(Agent):
    def run(self, question: str) -> Any:
        return question


class Step(Agent):
    def step(self, result: Any) -> Any:
        return "answered"


class Between(Step):
    pass


class Library(Agent):
    step = Agent.step


class Ready(Agent):
    def over_budget(self, result: Any) -> Any:
        return "step_budget"


@pytest.mark.parametrize(
    ("learner", "written"),
    [
        (Agent, False),
        (Starter, False),
        (Todo, False),
        (Library, False),
        (Ready, False),
        (Step, True),
        (Between, True),
        (WholeLoop, True),
    ],
)
def test_the_step_is_written_by_whoever_wrote_step_or_run(
    learner: type, written: bool
) -> None:
    assert written_parts({"MyAgent": learner}, ["step"]) == ["step"] * written


def test_without_an_agent_no_method_is_written() -> None:
    assert written_parts({}, ["step"]) == []


def test_an_imported_function_of_the_library_is_not_written() -> None:
    names = {"dispatch": agent.dispatch}
    assert written_parts(names, ["dispatch"]) == []


def test_a_function_of_ones_own_is_written() -> None:
    def dispatch(registry: Any, name: str, args: Any) -> str:
        return "{}"

    assert written_parts({"dispatch": dispatch}, ["dispatch"]) == ["dispatch"]


def test_the_librarys_own_version_raises_under_every_name() -> None:
    finished = Agent.step
    with library_not_written(["step"]):
        for call in (Agent.step, finished, Library.step):
            with pytest.raises(NotStarted):
                call(object(), object())  # type: ignore[arg-type]


def test_no_except_exception_swallows_not_started() -> None:
    assert not issubclass(NotStarted, Exception)


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        '"""Only words."""',
        '"""Words."""\n    pass',
        "raise NotImplementedError",
        'raise NotImplementedError("later")',
        '"""Words."""\n    raise NotImplementedError',
        '"""Words."""\n    raise NotImplementedError("later")',
    ],
)
def test_a_body_that_does_nothing_is_a_stub(body: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def f(self, result):\n    {body}", names)
    assert is_stub(names["f"])


@pytest.mark.parametrize(
    "body", ["return 1", "return result", 'raise ValueError("x")', "self.x = 1"]
)
def test_a_body_that_does_something_is_not_a_stub(body: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def f(self, result):\n    {body}", names)
    assert not is_stub(names["f"])
