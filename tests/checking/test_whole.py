"""A whole agent: the learner's parts, and the finished ones where none is written."""

from types import FunctionType
from typing import Any

from labkit import Agent, Decision, policy
from labkit.checking.whole import lent_parts, whole_agent

PARTS = ["policy", "run_tool"]


def written(code: str) -> dict[str, Any]:
    """What a notebook's cells leave: one namespace for all functions."""
    names: dict[str, Any] = {"Agent": Agent, "Decision": Decision}
    exec(code, names)
    return names


TOOL = """
class MyAgent(Agent):
    def run_tool(self, name, args):
        return policy(name, args, refund_limit=1, allow_large_refunds=False).reason
"""
STUB = '''
def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """To be written."""
'''
OWN = """
def policy(name, args, **limits):
    return Decision(False, "mine")
"""


def reason(names: dict[str, Any], *given: str) -> Any:
    chosen = {name: names[name] for name in given}
    with whole_agent(chosen, PARTS) as whole:
        return whole["MyAgent"].run_tool(None, "look", {})


def test_a_stub_beside_a_written_part_is_lent_and_taken_back() -> None:
    names = written(STUB + TOOL)
    stub: FunctionType = names["policy"]
    assert lent_parts({"MyAgent": names["MyAgent"]}, PARTS) == ["policy"]
    assert reason(names, "MyAgent") == "not a refund"
    assert names["policy"] is stub


def test_a_written_part_is_left_alone_even_where_it_was_not_given() -> None:
    assert reason(written(OWN + TOOL), "MyAgent") == "mine"


def test_a_written_function_stands_in_the_finished_loop() -> None:
    from labkit.agent import loop

    names = written(OWN)
    with whole_agent({"policy": names["policy"]}, PARTS):
        assert loop.policy is names["policy"]
    assert loop.policy is policy
