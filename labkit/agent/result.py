"""What one run may use, and what came of it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Limits:
    """What one run may use: completions, tool calls, tokens, characters per result."""

    steps: int = 8
    tool_calls: int = 20
    tokens: int = 20_000
    result_chars: int = 8_000


@dataclass
class Result:
    """One run: its question, its transcript, what it used and how it ended.

    An entry of `tool_calls` is `{"name", "arguments", "result"}`. `stopped_by` is None
    while the run goes on; `error` holds the provider's last words if it was lost.
    """

    question: str
    answer: str = ""
    stopped_by: str | None = None
    error: str = ""
    steps: int = 0
    tokens: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    messages: list[Any] = field(default_factory=list)
