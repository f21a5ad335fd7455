"""A request out of shape is refused, in the API's words, with the place named."""

from dataclasses import astuple
from typing import Any

import pytest

from labkit.replay.rules import Refusal, find_fault
from tests.agent.turns import call, tool
from tests.replay.conversations import asking, request, result

PATTERN = (
    "string does not match pattern. Expected a string that matches the pattern "
    "'^[a-zA-Z0-9_-]{1,64}$'."
)
NAMES: list[Any] = ["", "a b", "a.b", "\u00fc", "x" * 65, "a\n", None, 5]


def refusal(asked: dict[str, Any], level: str = "openai") -> Refusal:
    found = find_fault(asked, level)
    assert found
    return found


@pytest.mark.parametrize("fields", [{}, {"content": None}, {"tool_calls": []}])
def test_an_assistant_message_with_neither_text_nor_calls_is_refused(
    fields: dict[str, Any],
) -> None:
    found = refusal(request({"role": "assistant", **fields}))
    assert found.rule == "message_says_something"
    assert found.text == "Invalid value for 'content': expected a string, got null."
    assert (found.message, found.param) == (1, "messages.[1].content")


@pytest.mark.parametrize("name", NAMES)
def test_a_tools_name_must_fit_the_pattern(name: Any) -> None:
    schemas = [tool("refund"), {"function": {"name": name}}]
    assert refusal(request(tools=schemas)) == Refusal(
        "name_fits_the_pattern",
        f"Invalid 'tools[1].function.name': {PATTERN}",
        "tools[1].function.name",
        None,
        "invalid_value",
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_name_in_a_call_must_fit_the_pattern(name: Any) -> None:
    asked = call("refund") | {"function": {"name": name, "arguments": "{}"}}
    assert refusal(request(asking(call("refund"), asked))) == Refusal(
        "name_fits_the_pattern",
        f"Invalid 'messages[1].tool_calls[1].function.name': {PATTERN}",
        "messages[1].tool_calls[1].function.name",
        1,
        "invalid_value",
    )


@pytest.mark.parametrize("key", ["messages", "tools"])
def test_an_empty_list_is_refused(key: str) -> None:
    text = (
        f"Invalid '{key}': empty array. Expected an array with minimum length 1, but "
        "got an empty array instead."
    )
    expected = (f"{key}_are_not_empty", text, key, None, "empty_array")
    assert astuple(refusal(request() | {key: []})) == expected


@pytest.mark.parametrize("fields", [{}, {"messages": None}])
def test_no_list_of_messages_is_refused(fields: dict[str, Any]) -> None:
    found = refusal(fields)
    assert found.rule == "messages_are_a_list"
    assert found.text == "Missing required parameter: 'messages'."


@pytest.mark.parametrize("tools", [[{}], [None], [{"name": "refund"}], ["refund"]])
def test_a_schema_without_a_function_is_refused(tools: list[Any]) -> None:
    found = refusal(request(tools=tools))
    assert (found.rule, found.param) == ("tool_has_a_function", "tools[0].function")


@pytest.mark.parametrize("message", [{"role": "bot"}, {"content": "Hi."}, "Hi.", None])
def test_a_message_without_a_known_role_is_refused(message: Any) -> None:
    found = refusal(request(message))
    assert (found.rule, found.message) == ("role_is_known", 1)
    assert "'tool'" in found.text


@pytest.mark.parametrize(
    ("content", "kind"), [({"text": "x"}, "an object"), (5, "a number"), (True, "a bo")]
)
def test_content_that_is_no_text_is_refused(content: Any, kind: str) -> None:
    found = refusal(request(asking(call("refund")), result(content=content)))
    assert (found.rule, found.message) == ("content_is_text", 2)
    assert f"but got {kind}" in found.text


@pytest.mark.parametrize(("piece", "kind"), [("11.2 kg", "a string"), (5, "a number")])
def test_a_list_of_texts_is_no_content(piece: Any, kind: str) -> None:
    found = refusal(request(asking(call("refund")), result(content=[piece])))
    assert (found.rule, found.message) == ("content_is_text", 2)
    assert f"expected an object, but got {kind}" in found.text


@pytest.mark.parametrize("lacking", ["id", "function"])
def test_a_call_needs_an_id_and_a_function(lacking: str) -> None:
    asked = call("refund")
    del asked[lacking]
    found = refusal(request(asking(asked)))
    assert (found.rule, found.message) == ("call_has_id_and_function", 1)


def test_arguments_that_are_no_text_are_refused() -> None:
    asked = call("refund") | {"function": {"name": "refund", "arguments": {"a": 1}}}
    assert refusal(request(asking(asked), result())).rule == "arguments_are_an_object"
