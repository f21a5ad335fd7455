"""Loops that do it another way, as right as the finished one, lose nothing either."""

import json
from typing import Any

import pytest

from labkit import Agent, Call
from labkit.agent import replies
from labkit.survival.collection import failures
from labkit.survival.survey import survey_class

CUT_OFF = json.dumps({"error": "cut off at the output limit; send a shorter call"})


class AsksOnceMore(Agent):
    """One more request after an empty or a cut message, and then the usual end."""

    nudged = False

    def veto(self, response: Any) -> str | None:
        stopped = replies.stop_reason(response)
        if stopped not in ("empty_answer", "length") or self.nudged:
            return stopped
        self.nudged = True
        return "again"

    def step(self, result: Any) -> str | None:
        stopped = super().step(result)
        if stopped != "again":
            return stopped
        calls = result.messages.pop().tool_calls or []
        result.answer = ""
        if calls:
            said = ", ".join(call.function.name for call in calls)
            result.messages.append({"role": "assistant", "content": said})
        result.messages.append({"role": "user", "content": CUT_OFF})
        return None


class SeesRepeats(Agent):
    """The same call three times in a row ends the run, however it is spelled."""

    def over_budget(self, result: Any) -> str | None:
        last = [_spelled(call) for call in result.tool_calls[-3:]]
        if len(last) == 3 and last[0] == last[1] == last[2]:
            return "repeated_calls"
        return super().over_budget(result)


class CountsErrors(Agent):
    """Three errors in a row end the run, unless a budget has ended it already."""

    def over_budget(self, result: Any) -> str | None:
        if spent := super().over_budget(result):
            return spent
        last = [call["result"] for call in result.tool_calls[-3:]]
        if len(last) == 3 and all('{"error"' in text for text in last):
            return "too_many_errors"
        return None


class LooksAfterTheMessage(Agent):
    """The budgets are looked at between two messages only."""

    def execute_calls(self, result: Any, calls: list[Call]) -> list[str]:
        stock, self.limits = self.limits, type(self.limits)(tool_calls=10**9)
        try:
            return super().execute_calls(result, calls)
        finally:
            self.limits = stock


class OpensFences(Agent):
    """A fence round the whole of the arguments is taken off."""

    def execute_call(self, call: Call) -> str:
        raw = call.arguments.strip()
        if raw.startswith("```json") and raw.endswith("```"):
            raw = raw.removeprefix("```json").removesuffix("```")
        return super().execute_call(Call(call.id, call.name, raw))


class PaysOnce(Agent):
    """The same refund is answered with what came of it the first time."""

    def run_tool(self, name: str, args: dict[str, Any]) -> str:
        paid: dict[str, str] = vars(self).setdefault("paid", {})
        if name != "refund":
            return super().run_tool(name, args)
        key = json.dumps(args, sort_keys=True)
        if key not in paid:
            paid[key] = json.dumps({"error": "unknown: it may have been paid"})
            paid[key] = super().run_tool(name, args)
        return paid[key]


def _spelled(call: dict[str, Any]) -> str:
    try:
        return str((call["name"], sorted(json.loads(call["arguments"]).items())))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return str((call["name"], call["arguments"]))


@pytest.mark.parametrize(
    "right",
    [
        AsksOnceMore,
        SeesRepeats,
        CountsErrors,
        LooksAfterTheMessage,
        OpensFences,
        PaysOnce,
    ],
)
def test_another_right_loop_loses_nothing(right: type[Agent]) -> None:
    survey = survey_class(right, "right", failures())
    assert {o.failure.name: o.reasons for o in survey.lost} == {}
