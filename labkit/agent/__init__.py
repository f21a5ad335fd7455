"""The thing being taught, finished: the answer key and the library in one."""

from labkit.agent.asking import MODEL, ask
from labkit.agent.calls import Call, finite, parse_tool_calls
from labkit.agent.dispatcher import Functions, build_registry, dispatch
from labkit.agent.evals import EvalReport, evaluate, numbers_in, score, tools_that_ran
from labkit.agent.guardrail import Decision, policy
from labkit.agent.log import audit_line
from labkit.agent.loop import Agent
from labkit.agent.result import Limits, Result
from labkit.agent.truncation import truncate

__all__ = [
    "MODEL",
    "Agent",
    "Call",
    "Decision",
    "EvalReport",
    "Functions",
    "Limits",
    "Result",
    "ask",
    "audit_line",
    "build_registry",
    "dispatch",
    "evaluate",
    "finite",
    "numbers_in",
    "parse_tool_calls",
    "policy",
    "score",
    "tools_that_ran",
    "truncate",
]
