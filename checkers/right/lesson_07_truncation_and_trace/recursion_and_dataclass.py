import json
from dataclasses import asdict, dataclass
from functools import cached_property
from logging import FileHandler, Formatter, LogRecord

from labkit import Agent, Call, Result


@dataclass(frozen=True)
class Line:
    """One line of the trace."""

    step: int
    tool: str
    arguments: str
    result_chars: int
    truncated: bool
    seconds: float
    tokens: int


def truncate(text: str, limit: int, kept: int | None = None) -> str:
    """One character less at a time would do too; this halves what is over."""
    if len(text) <= limit:
        return text
    kept = limit if kept is None else kept
    note = f"[… {len(text) - kept} of {len(text)} characters are not shown …]"
    over = kept + len(note) - limit
    return truncate(text, limit, kept - over) if over > 0 else text[:kept] + note


class MyAgent(Agent):
    """The trace is written by a handler of the logging module, which flushes."""

    @cached_property
    def handler(self) -> FileHandler:
        handler = FileHandler(self.trace.target, encoding="utf-8")
        handler.setFormatter(Formatter("%(message)s"))
        return handler

    def on_tool_result(self, result: Result, call: Call, content: str) -> str:
        short = truncate(content, self.limits.result_chars)
        size, used = len(content), result.tokens
        line = Line(
            result.steps,
            call.name,
            call.arguments,
            size,
            size != len(short),
            call.seconds,
            used,
        )
        text = json.dumps(asdict(line))
        self.handler.emit(LogRecord("trace", 20, "", 0, text, None, None))
        return short
