"""The thing being taught, finished: the answer key and the library in one."""

from labkit.agent.asking import MODEL, ask
from labkit.agent.calls import Call, parse_tool_calls
from labkit.agent.dispatcher import Functions, build_registry, dispatch
from labkit.agent.guardrail import Decision, policy
from labkit.agent.loop import Agent
from labkit.agent.result import Limits, Result
from labkit.agent.truncation import truncate

__all__ = [
    "MODEL",
    "Agent",
    "Call",
    "Decision",
    "Functions",
    "Limits",
    "Result",
    "ask",
    "build_registry",
    "dispatch",
    "parse_tool_calls",
    "policy",
    "truncate",
]
