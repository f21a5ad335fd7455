"""Turns of a model, written by hand for one test, and how drawn tests are run."""

import json
from typing import Any

from hypothesis import HealthCheck, settings

Turn = dict[str, Any]

# A loaded machine is slow, and a fixture that serves every example is meant to.
steady = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)

OVERLOADED: Turn = {
    "status": 503,
    "body": {"error": {"message": "The server is overloaded.", "code": None}},
}
DROPPED: Turn = {"sse": [], "end": "reset"}


def call(name: str, arguments: Any = "{}", id: str = "call_1") -> dict[str, Any]:
    """One tool call; arguments that are no text are written as JSON."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    return {"id": id, "type": "function", "function": function}


def asks(*calls: dict[str, Any], **fields: Any) -> Turn:
    """A reply that asks for these calls."""
    return reply({"content": None, "tool_calls": list(calls)}, "tool_calls", **fields)


def says(text: str | None, **fields: Any) -> Turn:
    """A reply that asks for nothing."""
    return reply({"content": text}, **fields)


def reply(message: dict[str, Any], finish_reason: str = "stop", **fields: Any) -> Turn:
    """A 200 with this message; `fields` replace those of the body."""
    choice = {"index": 0, "finish_reason": finish_reason}
    choice["message"] = {"role": "assistant", **message}
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1790000000}
    body |= {"model": "replayed", "choices": [choice], "usage": usage}
    return {"body": body | fields}


def tool(name: str) -> dict[str, Any]:
    """The schema of a tool that takes anything."""
    return {"type": "function", "function": {"name": name, "parameters": {}}}
