"""What counts as written."""

from typing import Any

import pytest

from labkit import agent
from labkit.agent import Agent
from labkit.checking.written import (
    NotStarted,
    is_stub,
    library_not_written,
    missing_names,
    unwritten,
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


class Typo(Agent):
    def setp(self, result: Any) -> Any:
        return "answered"


@pytest.mark.parametrize(
    ("learner", "why"),
    [
        (Agent, "MyAgent has no step or run of its own"),
        (Starter, "step does nothing yet"),
        (Todo, "step does nothing yet"),
        (Library, "step is the finished one; write its lines yourself"),
        (Ready, "MyAgent has no step or run of its own"),
        (Typo, "MyAgent has no step or run of its own; did you mean setp?"),
        (Step, None),
        (Between, None),
        (WholeLoop, None),
    ],
)
def test_the_step_is_written_by_whoever_wrote_step_or_run(
    learner: type, why: str | None
) -> None:
    assert unwritten({"MyAgent": learner}, ["step"]).get("step") == why


def test_without_an_agent_no_method_is_written() -> None:
    assert unwritten({}, ["step"]) == {"step": "there is no MyAgent"}


def test_an_imported_function_of_the_library_is_not_written() -> None:
    why = unwritten({"dispatch": agent.dispatch}, ["dispatch"])
    assert why == {"dispatch": "dispatch is the finished one; write its lines yourself"}


def test_a_function_of_ones_own_is_written() -> None:
    def dispatch(registry: Any, name: str, args: Any) -> str:
        return "{}"

    assert unwritten({"dispatch": dispatch}, ["dispatch"]) == {}


def test_a_missing_name_is_told_with_the_nearest_one_there_is() -> None:
    names = {"Myagent": object, "x": 1}
    assert missing_names(names, ["MyAgent"]) == {"MyAgent": "Myagent"}
    assert missing_names({"x": 1}, ["MyAgent"]) == {"MyAgent": ""}
    assert missing_names({"MyAgent": 1}, ["MyAgent"]) == {}
    assert missing_names({"Agent": Agent}, ["MyAgent"]) == {"MyAgent": ""}


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
