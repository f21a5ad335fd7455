"""What may be sent: a history in which every call is well formed."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from labkit.agent.calls import as_text, finite


def sendable(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """The messages as dicts that a strict provider takes.

    Takes dicts and the SDK's messages and changes neither. Arguments that are not a
    JSON object are wrapped into one; a name that no provider takes is spelled with
    underscores; a call without an id of its own gets one, and so does its result; a
    character that UTF-8 cannot hold becomes a question mark.
    """
    sent = (_encodable(_mended(_as_dict(message))) for message in messages)
    return list(_with_ids(sent))


def _as_dict(value: Any) -> dict[str, Any]:
    """A message, a call or a function as a dict; what the SDK does not know is kept."""
    if isinstance(value, dict):
        return value
    if not hasattr(value, "model_dump"):
        raise TypeError(f"{value!r:.60} stands in the history and is no message")
    return dict(value.model_dump(exclude_none=True, warnings=False))


def _mended(message: dict[str, Any]) -> dict[str, Any]:
    if not message.get("tool_calls"):
        return message
    calls = [_mended_call(_as_dict(call)) for call in message["tool_calls"]]
    return message | {"tool_calls": calls}


def _mended_call(call: dict[str, Any]) -> dict[str, Any]:
    if "function" not in call:
        return call  # a provider will say what is wrong with it
    function = _as_dict(call["function"])
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", function.get("name") or "unnamed")[:64]
    arguments = as_text(function.get("arguments"))
    if not _is_object(arguments):
        arguments = json.dumps({"malformed": arguments})
    mended = function | {"name": name, "arguments": arguments}
    return call | {"type": "function", "function": mended}


def _is_object(arguments: Any) -> bool:
    try:
        value = json.loads(arguments, parse_float=finite, parse_constant=finite)
    except (TypeError, ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def _with_ids(messages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The messages, with an id for each call that has none, or that of another call.

    A result follows its call: it came under the same id, in the same order.
    """
    open_ids: list[tuple[str, str]] = []  # as it came and as it is sent
    for place, message in enumerate(messages):
        if calls := message.get("tool_calls"):
            open_ids = _ids(calls, place)
            renamed = [call | {"id": id} for call, (_, id) in zip(calls, open_ids)]
            yield message | {"tool_calls": renamed}
        elif message.get("role") == "tool":
            yield message | _answered(message.get("tool_call_id") or "", open_ids)
        else:
            yield message


def _ids(calls: list[dict[str, Any]], place: int) -> list[tuple[str, str]]:
    """The id of each call as it came ("" if there is none) and one that is its own."""
    ids: list[tuple[str, str]] = []
    for number, call in enumerate(calls):
        came = call.get("id") or ""
        taken = not came or came in [id for id, _ in ids]
        ids.append((came, f"own_{place}_{number}" if taken else came))
    return ids


def _answered(came: str, open_ids: list[tuple[str, str]]) -> dict[str, str]:
    """The id of the first open call that came under this one, which is now answered."""
    for pair in open_ids:
        if pair[0] == came:
            open_ids.remove(pair)
            return {"tool_call_id": pair[1]}
    return {}


def _encodable(value: Any) -> Any:
    """The value without lone surrogates: halves of characters, which UTF-8 refuses."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _encodable(inner) for key, inner in value.items()}
    return [_encodable(inner) for inner in value] if isinstance(value, list) else value
