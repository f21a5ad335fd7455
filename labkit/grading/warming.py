"""A rehearsal: what every submission does is done once, and its caches are filled."""

import json
from itertools import count
from typing import Any

from labkit import agent
from labkit.agents import KITS
from labkit.checking.child import summary
from labkit.checking.loading import load
from labkit.checking.perform import perform
from labkit.checking.scenario import Run
from labkit.replay.shortcut import take_the_shortcut

CODE = """
from labkit import Agent

class MyAgent(Agent):
    def step(self, result):
        return super().step(result)
"""


def warm_up(folder: str) -> None:
    """Let the finished agent use a tool and answer; with each kit, on no recording."""
    import asyncio  # noqa: F401

    import IPython.core.inputtransformer2  # noqa: F401

    take_the_shortcut()
    cells = [{"source": CODE, "name": "warm.py", "first_line": 1}]
    loaded = load({"notebook": False, "cells": cells}, ["MyAgent"])
    summary(loaded, ["step"])
    for kit in KITS:
        order = Run("", part="step", agent=kit).order("Is it warm?")
        perform(order | {"folder": folder}, {"MyAgent": agent.Agent}, _Answers(kit))


class _Answers:
    """Stands where the lab does: asks for one tool, then says something."""

    def __init__(self, kit: str) -> None:
        self.tool = KITS[kit].names[0]
        self.replies = count()

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        if question["kind"] == "request":
            return {"turn": {"body": self._reply(first=next(self.replies) == 0)}}
        return {"result": 0} if question["kind"] == "tool" else {}

    def _reply(self, first: bool) -> dict[str, Any]:
        function = {"name": self.tool, "arguments": json.dumps({"order_id": "x"})}
        calls = [{"id": "call_1", "type": "function", "function": function}]
        said = {"content": None, "tool_calls": calls} if first else {"content": "Warm."}
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", **said},
        }
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "warm", "object": "chat.completion", "created": 0}
        return head | {"model": "warm", "choices": [choice], "usage": usage}
