"""The protocol rules of the chat completions API, refused in the providers' words.

The texts of level "openai" are those of api.openai.com as public reports show them
(camel #3339, sdcb/chats #132, dapr-agents #145, agno #5116, langchain #22600,
langchainjs #4153, openai-node #1341, mcp-use #90). Each other level adds what some
other server refuses.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
LEVELS = ("openai", "strict", "no_empty_text", "reasoning", "signatures")


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused: the rule, the message at fault and the API's words."""

    rule: str
    text: str
    param: str | None = None
    message: int | None = None
    code: str | None = None


@dataclass
class _Group:
    """The calls of the last assistant message and which message answered which."""

    ids: list[str]
    answered: dict[str, int] = field(default_factory=dict)

    @property
    def unanswered(self) -> list[str]:
        return [id for id in self.ids if id not in self.answered]


def find_fault(request: dict[str, Any], level: str = "openai") -> Refusal | None:
    """The first rule that a request breaks, or None.

    `level` is "openai", or one that also refuses something in the history: "strict"
    arguments that are not a JSON object, "no_empty_text" a content of "" beside calls,
    "reasoning" calls without the `reasoning_content` they came with, "signatures"
    calls without their `extra_content`.
    """
    faults = (*_list_faults(request), *_tool_faults(request.get("tools")))
    if faults:
        return faults[0]
    messages = request["messages"]
    return next(_message_faults(messages, level), None) or _answering_fault(messages)


def _list_faults(request: dict[str, Any]) -> Iterator[Refusal]:
    if request.get("messages") is None:
        text = "Missing required parameter: 'messages'."
        yield Refusal("messages_are_a_list", text, "messages")
    for key in ("messages", "tools"):
        if not isinstance(request.get(key), list | None):
            text = (
                f"Invalid type for '{key}': expected an array of objects, but got "
                f"{_kind(request[key])} instead."
            )
            yield Refusal(f"{key}_are_a_list", text, key, code="invalid_type")
    for key in ("messages", "tools"):
        if request.get(key) == []:
            text = (
                f"Invalid '{key}': empty array. Expected an array with minimum "
                "length 1, but got an empty array instead."
            )
            yield Refusal(f"{key}_are_not_empty", text, key, code="empty_array")


def _tool_faults(tools: Any) -> Iterator[Refusal]:
    for i, tool in enumerate(tools if isinstance(tools, list) else []):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or "name" not in function:
            text = f"Missing required parameter: 'tools[{i}].function'."
            yield Refusal("tool_has_a_function", text, f"tools[{i}].function")
        else:
            yield from _name_faults(function["name"], f"tools[{i}].function.name")


def _name_faults(
    name: Any, param: str, message: int | None = None
) -> Iterator[Refusal]:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        text = (
            f"Invalid '{param}': string does not match pattern. Expected a string that "
            "matches the pattern '^[a-zA-Z0-9_-]{1,64}$'."
        )
        yield Refusal("name_fits_the_pattern", text, param, message, "invalid_value")


def _message_faults(messages: list[Any], level: str) -> Iterator[Refusal]:
    """What is wrong with a message taken by itself."""
    for i, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            supported = ", ".join(f"'{role}'" for role in ROLES)
            said = message.get("role") if isinstance(message, dict) else message
            text = f"Invalid value: {said!r:.60}. Supported values are: {supported}."
            yield Refusal("role_is_known", text, f"messages[{i}].role", i)
            continue
        yield from _content_faults(message, i)
        yield from _kept_faults(message, i, level)
        for j, call in enumerate(calls_in(message)):
            yield from _call_faults(call, f"messages[{i}].tool_calls[{j}]", i, level)


def _content_faults(message: dict[str, Any], i: int) -> Iterator[Refusal]:
    content, param = message.get("content"), f"messages.[{i}].content"
    if content is None and not calls_in(message):
        text = "Invalid value for 'content': expected a string, got null."
        yield Refusal("message_says_something", text, param, i)
    elif content is not None and not isinstance(content, str | list):
        text = (
            f"Invalid type for 'messages[{i}].content': expected one of a string or "
            f"array of objects, but got {_kind(content)} instead."
        )
        yield Refusal("content_is_text", text, param, i, "invalid_type")
    for j, piece in enumerate(content if isinstance(content, list) else []):
        if not isinstance(piece, dict):
            place = f"messages[{i}].content[{j}]"
            text = (
                f"Invalid type for '{place}': expected an object, but got "
                f"{_kind(piece)} instead."
            )
            yield Refusal("content_is_text", text, place, i, "invalid_type")
            return


def _kept_faults(message: dict[str, Any], i: int, level: str) -> Iterator[Refusal]:
    """What a message with calls has lost, or gained, since its server wrote it.

    The texts are those of public reports (odysseus #837, GitNexus #43, aiproxy #450).
    """
    calls = calls_in(message)
    if not calls:
        return
    if level == "no_empty_text" and message.get("content") == "":
        text = "Expected string or list of content parts, got: ''"
        yield Refusal("text_is_not_empty", text, f"messages.[{i}].content", i)
    if level == "reasoning" and not message.get("reasoning_content"):
        text = (
            f"Missing `reasoning_content` field in the assistant message at index {i}."
        )
        yield Refusal("reasoning_is_kept", text, None, i)
    if level == "signatures" and not all(map(_has_extra_content, calls)):
        text = "Function call is missing a thought_signature in functionCall parts."
        yield Refusal("signature_is_kept", text, None, i)


def _has_extra_content(call: Any) -> bool:
    return isinstance(call, dict) and bool(call.get("extra_content"))


def _call_faults(call: Any, param: str, i: int, level: str) -> Iterator[Refusal]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(call.get("id"), str):
        text = f"Missing required parameter: '{param}.id'."
        yield Refusal("call_has_id_and_function", text, param, i)
        return
    yield from _name_faults(function.get("name"), f"{param}.function.name", i)
    arguments = function.get("arguments")
    if not isinstance(arguments, str) or (level == "strict" and not _object(arguments)):
        text = f"{param}.function.arguments: must be a valid JSON object string"
        yield Refusal("arguments_are_an_object", text, param, i, "invalid_value")


def _object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def _answering_fault(messages: list[dict[str, Any]]) -> Refusal | None:
    """Calls and results: every call answered once, by its id, before anything else."""
    group: _Group | None = None
    for i, message in enumerate(messages):
        if message["role"] == "tool":
            if fault := _result_fault(message, i, group):
                return fault
            continue
        if group and group.unanswered:
            return _unanswered(group, i)
        ids = [call["id"] for call in calls_in(message)]
        group = _Group(ids) if ids else None
    return _unanswered(group, len(messages)) if group and group.unanswered else None


def _result_fault(
    message: dict[str, Any], i: int, group: _Group | None
) -> Refusal | None:
    id, param = message.get("tool_call_id"), f"messages.[{i}].tool_call_id"
    if not isinstance(id, str) or not id:
        text = (
            "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
            "'tool_call_id'."
        )
        return Refusal("result_names_its_call", text, param, i)
    if group is None:
        text = (
            "Invalid parameter: messages with role 'tool' must be a response to a "
            "preceding message with 'tool_calls'."
        )
        return Refusal("result_follows_its_call", text, f"messages.[{i}].role", i)
    if id not in group.ids:
        text = (
            f"Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of "
            "previous message."
        )
        return Refusal("result_names_a_call_just_made", text, param, i)
    if id in group.answered:
        text = (
            f"Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in "
            f"messages[{group.answered[id]}] and messages[{i}]."
        )
        return Refusal("call_is_answered_once", text, param, i)
    group.answered[id] = i
    return None


def _unanswered(group: _Group, i: int) -> Refusal:
    text = (
        "An assistant message with 'tool_calls' must be followed by tool messages "
        "responding to each 'tool_call_id'. The following tool_call_ids did not have "
        f"response messages: {', '.join(group.unanswered)}"
    )
    return Refusal("every_call_is_answered", text, f"messages.[{i}].role", i)


def _kind(value: Any) -> str:
    """What a JSON value is called in the API's texts."""
    kinds = {dict: "an object", bool: "a boolean", str: "a string", list: "an array"}
    return kinds.get(type(value), "a number")


def calls_in(message: dict[str, Any]) -> list[Any]:
    """The tool calls of a message; null and absent are none."""
    calls = message.get("tool_calls")
    return calls if isinstance(calls, list) else []
