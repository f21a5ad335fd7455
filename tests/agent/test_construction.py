"""The agent keeps what it is given, and finds a missing function before any run."""

import inspect
from typing import Any

import pytest

from labkit.agent import Agent, Limits
from tests.agent.conftest import StageFor
from tests.agent.turns import tool

OPTIONS: dict[str, Any] = {
    "model": "some-model",
    "system": "Be brief.",
    "limits": Limits(steps=3),
    "attempts": 2,
    "timeout": 7,
    "refund_limit": 20,
    "allow_large_refunds": True,
    "approve": lambda name, args, reason: False,
    "sleep": lambda seconds: None,
}
DEFAULTS = {
    "limits": Limits(steps=8, tool_calls=20, tokens=20_000, result_chars=8_000),
    "attempts": 3,
    "timeout": 60,
    "refund_limit": 100,
    "allow_large_refunds": False,
    "audit": None,
    "trace": None,
    "approve": None,
}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_kept_under_its_name(stage: StageFor, name: str) -> None:
    agent = stage(**{name: OPTIONS[name]}).agent
    assert getattr(agent, name) is OPTIONS[name]


@pytest.mark.parametrize("name", DEFAULTS)
def test_an_option_that_is_not_given_is_the_contracts(name: str) -> None:
    parameters = inspect.signature(Agent).parameters
    assert parameters[name].default == DEFAULTS[name]


def test_limits_left_out_are_the_contracts() -> None:
    assert Limits() == DEFAULTS["limits"]


def test_tools_and_functions_are_kept_and_make_the_registry(stage: StageFor) -> None:
    tools, functions = [tool("one")], {"one": int, "two": int}
    agent = stage(tools=tools, functions=functions).agent
    assert (agent.tools, agent.functions) == (tools, functions)
    assert agent.registry == {"one": int}


@pytest.mark.parametrize("name", ["audit", "trace"])
def test_a_log_can_be_written_to_even_if_nobody_wants_it(
    stage: StageFor, name: str
) -> None:
    getattr(stage().agent, name).write(step=1)


def test_a_declared_tool_without_a_function_is_named_before_any_run() -> None:
    nowhere: Any = None
    with pytest.raises(ValueError, match="lookup_order"):
        Agent(nowhere, [{"function": {"name": "lookup_order"}}], {})
