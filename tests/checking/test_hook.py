"""One method of an agent, called by itself."""

from typing import Any

import pytest

from labkit import Agent, Call, Result
from labkit.checking.evidence import Evidence
from labkit.checking.place import Here
from labkit.checking.scenario import Hook, fixture, hook, only, run
from labkit.checking.world import World

LOOKUP = fixture("call", "call_1", "lookup_order", '{"order_id": "NW-1041"}')


def performed(scenario: Hook, agent: type = Agent) -> Evidence:
    return Here({"MyAgent": agent}, []).perform(World(scenario))


def test_a_hook_is_called_on_an_agent_with_these_limits() -> None:
    spent = fixture("result", {"steps": 8})
    seen = performed(hook("over_budget", spent, limits=only(steps=8), times=2))
    assert seen.returned == ["step_budget", "step_budget"]
    assert performed(hook("over_budget", spent, limits=only(steps=9))).returned is None


def test_a_reply_is_handed_over_as_the_client_gives_it() -> None:
    body = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    args = (fixture("result", {}), [], fixture("completion", body))
    assert performed(hook("count_tokens", *args)).returned == 7


def test_without_a_recording_there_is_no_model() -> None:
    seen = performed(hook("call_model", [{"role": "user", "content": "?"}]))
    assert (seen.returned, seen.requests) == (None, [])


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (fixture("raising", "OSError", "disk full"), "OSError: disk full"),
        (fixture("returning", fixture("no_json")), "not JSON serializable"),
    ],
)
def test_an_outcome_stands_in_for_the_tools_own(outcome: Any, told: str) -> None:
    seen = performed(hook("execute_call", LOOKUP, instead={"lookup_order": outcome}))
    assert told in seen.returned
    assert [run.name for run in seen.tool_runs] == ["lookup_order"]


class Scribe(Agent):
    """Writes its audit log by hand, over what was there before."""

    def execute_call(self, call: Call) -> str:
        assert self.audit.target
        with open(str(self.audit.target), "w") as file:
            file.write(f'{{"tool": "{call.name}"}}\n')
        return super().execute_call(call)


def test_a_log_that_is_written_over_counts_as_it_stands_at_the_end() -> None:
    refund = fixture("call", "call_1", "refund", '{"order_id": "NW-1041", "amount": 1}')
    seen = performed(hook("execute_call", refund, times=2), Scribe)
    kinds = [event["event"] for event in seen.events]
    assert kinds.count("rewritten") == 1
    assert [line["decision"] for line in seen.audit if "decision" in line] == [
        "allowed"
    ]
    assert kinds.index("audit") < kinds.index("ledger")


class Pen(Agent):
    """Writes its trace by hand, between these marks."""

    before, after = "", ""

    def on_tool_result(self, result: Result, call: Call, content: str) -> str:
        with open(str(self.trace.target), "a") as file:
            file.write(f"{self.before}{{}}{self.after}")
        return content


@pytest.mark.parametrize(
    ("before", "after", "kinds", "lines"),
    [
        ("", "\n", ["trace", "trace", "trace"], [{}, {}, {}]),
        ("\n", "", ["trace", "trace", "trace", "trace"], ["", {}, {}, {}]),
        ("", "", ["trace", "rewritten", "trace", "rewritten", "trace"], ["{}{}{}"]),
    ],
)
def test_lines_of_a_log_are_told_as_they_stand_in_the_file(
    before: str, after: str, kinds: list[str], lines: list[Any]
) -> None:
    pen = type("MyAgent", (Pen,), {"before": before, "after": after})
    seen = Here({"MyAgent": pen}, []).perform(World(run("shipping_chain", part="step")))
    told = [event["event"] for event in seen.events]
    assert [kind for kind in told if kind in ("trace", "rewritten")] == kinds
    assert seen.trace == lines
