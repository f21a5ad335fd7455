"""What the model asks for: the tool calls inside an assistant message."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass
class Call:
    """One tool call as the model wrote it.

    `arguments` is the raw text; nothing promises that it is JSON. `seconds` is how long
    the tool took, set by whoever runs it.
    """

    id: str
    name: str
    arguments: str
    seconds: float = 0.0


def parse_tool_calls(message: Any) -> list[Call]:
    """The calls in an assistant message, in the model's order; none gives []."""
    return [
        Call(call.id, call.function.name, call.function.arguments)
        for call in message.tool_calls or []
    ]


def finite(text: str) -> float:
    """The number, for json.loads to read floats and constants with.

    Raises ValueError for NaN, Infinity and what is too large to be anything else.
    """
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number that JSON has")
    return number
