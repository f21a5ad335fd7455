"""Loop Lab: write an AI agent's tool loop by hand, checked without a key."""

import importlib
from typing import TYPE_CHECKING, Any

from labkit.errors import LabError
from labkit.lesson import Lesson
from labkit.replay import connect

if TYPE_CHECKING:
    from labkit.agent import (
        MODEL,
        Agent,
        Call,
        Decision,
        EvalReport,
        Functions,
        Limits,
        Result,
        ask,
        audit_line,
        build_registry,
        dispatch,
        evaluate,
        finite,
        numbers_in,
        parse_tool_calls,
        policy,
        score,
        tools_that_ran,
        truncate,
    )

__all__ = [
    "MODEL",
    "Agent",
    "Call",
    "Decision",
    "EvalReport",
    "Functions",
    "LabError",
    "Lesson",
    "Limits",
    "Result",
    "ask",
    "audit_line",
    "build_registry",
    "connect",
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


def __getattr__(name: str) -> Any:
    """The agent's names, imported when asked for: openai takes half a second."""
    if name not in __all__:
        raise AttributeError(f"module 'labkit' has no attribute {name!r}")
    return getattr(importlib.import_module("labkit.agent"), name)
