"""What the model asks for: the tool calls inside an assistant message."""

import json
import math
from copy import copy
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


def as_text(arguments: Any) -> Any:
    """The arguments as JSON text where a server sent an object, or no text at all.

    Some servers parse them before we do; some send "" for a tool that takes none.
    """
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    blank = isinstance(arguments, str) and not arguments.strip()
    return "{}" if blank else arguments


def readable(call: Call) -> Call:
    """The call with its arguments as text; the call itself stays as it came."""
    if (text := as_text(call.arguments)) == call.arguments:
        return call
    spelled = copy(call)
    spelled.arguments = text
    return spelled


def finite(text: str) -> float:
    """The number, for json.loads to read floats and constants with.

    Raises ValueError for NaN, Infinity and what is too large to be anything else.
    """
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number that JSON has")
    return number
