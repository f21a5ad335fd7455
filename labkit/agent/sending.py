"""What may be sent: a history in which every call is well formed."""

import json
import re
from collections.abc import Iterable
from typing import Any


def sendable(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """The messages as dicts that a strict provider takes.

    Takes dicts and the SDK's messages and changes neither. Arguments that are not a
    JSON object are wrapped into one; a name that no provider takes is spelled with
    underscores.
    """
    return [_mended(_as_dict(message)) for message in messages]


def _as_dict(message: Any) -> dict[str, Any]:
    if isinstance(message, dict):
        return message
    return dict(message.model_dump(exclude_none=True))


def _mended(message: dict[str, Any]) -> dict[str, Any]:
    calls = message.get("tool_calls")
    if not calls or all(_well_formed(call) for call in calls):
        return message
    return message | {"tool_calls": [_mended_call(call) for call in calls]}


def _well_formed(call: dict[str, Any]) -> bool:
    return bool(_mended_call(call) == call)


def _mended_call(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", function.get("name") or "unnamed")[:64]
    arguments = function.get("arguments")
    if not _is_object(arguments):
        arguments = json.dumps({"malformed": arguments})
    return call | {"function": function | {"name": name, "arguments": arguments}}


def _is_object(arguments: Any) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (TypeError, ValueError):
        return False
