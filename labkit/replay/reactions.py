"""How a replayed model reacts: what kind of tool result it was just given."""

import json
import re
from typing import Any

from labkit.replay.rules import calls_in


def last_tool_result(request: dict[str, Any]) -> str | None:
    """The kind of the last tool message, or None if the request ends with another.

    "denied": a refund that did not report money moved; "error" and "useless_error":
    JSON with an `error` that does or does not say anything; "cut": the outside of some
    JSON and a marker with two numbers; "ok": anything else.
    """
    messages = request["messages"]
    if not messages or messages[-1].get("role") != "tool":
        return None
    content = text_of(messages[-1].get("content"))
    value = _json(content)
    if _tool_name(messages) == "refund" and not _has(value, "refunded"):
        return "denied"
    if _has(value, "error"):
        return "useless_error" if says_nothing(value["error"]) else "error"
    return "cut" if _looks_cut(content) else "ok"


def says_nothing(error: Any) -> bool:
    """Whether an error text leaves its reader no wiser than "it failed"."""
    words = re.sub(r"[\W_]+", " ", str(error or "")).lower().split()
    return not set(words) - {"error", "failed", "failure", "invalid", "bad", "none"}


def text_of(content: Any) -> str:
    """Message content as text: a string, or its text parts joined; nothing is ""."""
    if isinstance(content, list):
        return "".join(str(p.get("text", "")) for p in content if isinstance(p, dict))
    return content if isinstance(content, str) else ""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _has(value: Any, key: str) -> bool:
    return isinstance(value, dict) and key in value


def _tool_name(messages: list[dict[str, Any]]) -> str | None:
    """The tool whose call the last message answers."""
    id = messages[-1].get("tool_call_id")
    calls = (call for message in messages[::-1] for call in calls_in(message))
    return next((c["function"]["name"] for c in calls if c.get("id") == id), None)


def _looks_cut(content: str) -> bool:
    """Whether it has two whole numbers that can be what there was and what is missing.

    What there was is more than the content has, and the difference is about its size.
    A cut from the middle may leave valid JSON, so that is no sign of a whole result.
    """
    ends = content.strip()[:1] + content.strip()[-1:]
    whole = r"(?<![\w-])(?<!\d\.)\d{1,12}(?:[,._]\d{3}){0,4}(?![.,]?\d)"
    numbers = {int(re.sub(r"\D", "", text)) for text in re.findall(whole, content)}
    size = len(content)
    pairs = ((n, missing) for n in numbers if n > size for missing in numbers)
    return bool(set(ends) & set("{}[]")) and any(
        size / 2 <= there - missing <= 2 * size for there, missing in pairs
    )
