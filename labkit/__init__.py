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
        Functions,
        Limits,
        Result,
        ask,
        build_registry,
        dispatch,
        parse_tool_calls,
        policy,
        truncate,
    )

__all__ = [
    "MODEL",
    "Agent",
    "Call",
    "Decision",
    "Functions",
    "LabError",
    "Lesson",
    "Limits",
    "Result",
    "ask",
    "build_registry",
    "connect",
    "dispatch",
    "parse_tool_calls",
    "policy",
    "truncate",
]


def __getattr__(name: str) -> Any:
    """The agent's names, imported when asked for: openai takes half a second."""
    if name not in __all__:
        raise AttributeError(f"module 'labkit' has no attribute {name!r}")
    return getattr(importlib.import_module("labkit.agent"), name)
