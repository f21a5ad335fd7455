"""Scenarios as data: calls of one function, and what may be handed to it."""

import math
from typing import Any

import pytest

from labkit.checking.evidence import Evidence
from labkit.checking.place import Here
from labkit.checking.scenario import (
    FunctionCall,
    call,
    fixture,
    hook,
    only,
    result_of,
    run,
)
from labkit.checking.world import World


def build_registry(tools: list[str], functions: Any = None) -> dict[str, int]:
    return {name: len(name) for name in tools}


def dispatch(registry: dict[str, int], name: str, times: float = 1) -> float:
    return registry[name] * times


def grown(rows: list[int]) -> dict[str, int]:
    rows.append(len(rows))
    return {"rows": len(rows), "last": rows[-1]}


def performed(scenario: FunctionCall) -> Evidence:
    names = {"build_registry": build_registry, "dispatch": dispatch, "grown": grown}
    return Here(names, list(names)).perform(World(scenario))


def test_a_function_is_called_with_json_values() -> None:
    assert performed(call("build_registry", ["ab"])).returned == {"ab": 2}


def test_a_call_is_told_as_one_would_write_it() -> None:
    registry = result_of(call("build_registry", ["abc"]))
    given = fixture("call", "call_1", "refund", "{}")
    assert call("dispatch", registry, "abc", times=2).called == (
        "dispatch(build_registry(…), 'abc', times=2)"
    )
    assert hook("execute_call", given).called == (
        "execute_call(call('call_1', 'refund', '{}'))"
    )
    assert len(call("grown", "long" * 99).called) < 170


def test_one_call_may_be_handed_the_result_of_another() -> None:
    registry = result_of(call("build_registry", ["abc"]))
    assert performed(call("dispatch", registry, "abc", times=2)).returned == 6


def test_numbers_that_json_lacks_arrive_as_they_are() -> None:
    registry = result_of(call("build_registry", ["abc"]))
    assert performed(call("dispatch", registry, "abc", math.inf)).returned == math.inf


def test_a_second_call_has_the_same_arguments_changed_or_not() -> None:
    seen = performed(call("grown", []).twice())
    assert seen.returned == [{"rows": 1, "last": 0}, {"rows": 2, "last": 1}]


def test_only_the_attributes_asked_for_come_back() -> None:
    assert performed(call("grown", []).reading("rows", "gone")).returned == {"rows": 1}


def test_a_table_of_runs_gives_results_and_raises() -> None:
    runs = fixture("runs", {"a": {"steps": 3}, "b": {"raises": ["KeyError", "no"]}})
    names = {
        "first": lambda run: run({"id": "a"}),
        "then": lambda run: run({"id": "b"}),
    }
    seen = Here(names, []).perform(World(call("first", runs)))
    assert seen.result is not None
    assert seen.result["steps"] == 3
    raised = Here(names, []).perform(World(call("then", runs))).raised
    assert raised is not None
    assert raised["type"] == "KeyError"


def test_what_it_raises_is_told() -> None:
    seen = performed(call("dispatch", {}, "gone"))
    assert seen.raised is not None
    assert (seen.raised["type"], seen.raised["message"]) == ("KeyError", "'gone'")


def test_only_leaves_no_other_limit_in_reach() -> None:
    limits = only(steps=8)
    assert limits["steps"] == 8
    assert {value for name, value in limits.items() if name != "steps"} == {10**9}


def test_only_refuses_a_limit_there_is_not() -> None:
    with pytest.raises(ValueError, match="step"):
        only(step=8)


def test_an_order_tells_nothing_of_the_replies() -> None:
    world = World(run("at_once", part="step"))
    order = world.order()
    world.end()
    assert order["question"] == "Hello! What can you do for me?"
    assert "postage" not in str(order)
