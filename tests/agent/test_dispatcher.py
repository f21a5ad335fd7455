"""Names lead to functions that were declared, and to no others."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from labkit.agent import build_registry, dispatch
from tests.agent.turns import tool


def never(**args: Any) -> None:
    pytest.fail("nothing may run here")


def returning(value: Any) -> dict[str, Callable[..., Any]]:
    return {"echo": lambda: value}


def test_each_declared_tool_leads_to_its_own_function() -> None:
    functions = {"one": lambda: 1, "two": lambda: 2}
    registry = build_registry([tool("two"), tool("one")], functions)
    assert {name: function() for name, function in registry.items()} == {
        "one": 1,
        "two": 2,
    }


def test_a_function_that_is_not_declared_cannot_be_reached() -> None:
    registry = build_registry([tool("one")], {"one": never, "ledger": never})
    assert list(registry) == ["one"]


def test_every_declared_tool_without_a_function_is_named_at_once() -> None:
    tools = [tool("one"), tool("two"), tool("three")]
    with pytest.raises(ValueError, match="one, three"):
        build_registry(tools, {"two": never})


def test_building_the_table_runs_nothing() -> None:
    build_registry([tool("one")], {"one": never})


def test_no_tools_are_a_table_too() -> None:
    assert build_registry([], {"one": never}) == {}


def test_arguments_arrive_by_name() -> None:
    registry = {"minus": lambda *, a, b: a - b}
    assert dispatch(registry, "minus", {"b": 1, "a": 3}) == "2"


@pytest.mark.parametrize(
    "value", [0, 0.0, False, None, "", [], {}, "café ☕", {"error": "no such order"}]
)
def test_the_answer_is_json_of_what_the_function_returned(value: Any) -> None:
    assert json.loads(dispatch(returning(value), "echo", {})) == value


def test_text_beyond_ascii_is_not_spelled_out_in_escapes() -> None:
    assert dispatch(returning("café"), "echo", {}) == '"café"'


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", {(1, 2): 3}, float("nan")])
def test_a_result_that_json_cannot_hold_is_not_passed_off_as_json(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        dispatch(returning(value), "echo", {})


@pytest.mark.parametrize("name", ["find_order", "Refund", "refund ", "", "__class__"])
def test_an_unknown_name_is_repeated_in_the_error(name: str) -> None:
    answer = json.loads(dispatch({"refund": never, "add": never}, name, {}))
    assert repr(name) in answer["error"]


def test_an_unknown_name_is_told_the_names_there_are() -> None:
    answer = json.loads(dispatch({"refund": never, "add": never}, "find", {}))
    assert "add, refund" in answer["error"]
