"""A damaged recording is an error that names file, line and fault."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labkit.errors import LabError
from labkit.replay.recording import read_recording
from tests.agent.turns import says
from tests.replay.conftest import HEADER

Write = Callable[..., Path]
HELLO = says("Hello.")
RIGHT = {"does": "Goes on.", "stopped_by": ["answered"]}
FAILURE = HEADER | {"id": "B10", "right": RIGHT}
HEADERS = {
    "format is 2": HEADER | {"format": 2},
    "format is None": {key: HEADER[key] for key in ("title", "origin", "question")},
    "unknown header fields: colour, mood": HEADER | {"mood": 1, "colour": 2},
    "origin is none of": HEADER | {"origin": "recorded"},
    "title and question must be text": HEADER | {"question": None},
    "not a JSON object": [1, 2],
    "not JSON": "{",
    "no fact is called {{order.id}}": HEADER | {"question": "Where is {{order.id}}?"},
}
FAILURES: list[tuple[str, Any]] = [
    ("a failure needs an id and", HEADER | {"id": "B10"}),
    ("a failure needs an id and", HEADER | {"right": RIGHT}),
    ("a failure needs an id and", HEADER | {"control": True}),
    ("a failure needs an id and", FAILURE | {"right": "Goes on."}),
    ("setup must be an object", FAILURE | {"setup": []}),
    ("setup must be an object, and control", FAILURE | {"control": False}),
    ("right needs does, stopped_by", FAILURE | {"right": {}}),
    ("there is no field 'tool'; there are", FAILURE | {"right": RIGHT | {"tool": []}}),
    ("does must be a text", FAILURE | {"right": RIGHT | {"does": ""}}),
    ("stopped_by must be", FAILURE | {"right": RIGHT | {"stopped_by": []}}),
    ("stopped_by must be", FAILURE | {"right": RIGHT | {"stopped_by": "answered"}}),
    ("tools must be a list of names", FAILURE | {"right": RIGHT | {"tools": "refund"}}),
    ("refunded must be an amount", FAILURE | {"right": RIGHT | {"refunded": True}}),
    ("refunded must be an amount", FAILURE | {"right": RIGHT | {"refunded": -1}}),
    ("requests must be the least", FAILURE | {"right": RIGHT | {"requests": 2}}),
    ("requests must be the least", FAILURE | {"right": RIGHT | {"requests": [3, 2]}}),
    ("requests must be the least", FAILURE | {"right": RIGHT | {"requests": [0, 2]}}),
    ("answer must be a text", FAILURE | {"right": RIGHT | {"answer": 5}}),
    ("level must be one of openai", FAILURE | {"setup": {"level": "lax"}}),
    ("level must be one of openai", FAILURE | {"setup": {"level": ["openai"]}}),
    ("limits must be an object", FAILURE | {"setup": {"limits": 3}}),
    ("there is no field 'tools'; there are", FAILURE | {"setup": {"tools": []}}),
]
TURNS: list[tuple[str, Any]] = [
    ("not JSON", '{"body": '),
    ("not JSON", ""),
    ("not JSON", "[" * 100_000),
    ("not a JSON object", "null"),
    ("not a JSON object", [HELLO]),
    ("a turn needs one of body, status, sse, any", {}),
    ("a turn needs one of", {"headers": {}}),
    ("a turn needs one of", {"any": [{"when": {"last_tool_result": "ok"}}]}),
    ("a turn needs one of", {"any": ["Hello."]}),
    ("a turn needs one of", {"any": [{"any": [HELLO]}]}),
    ("any must be a list of turns", {"any": []}),
    ("any must be a list of turns", {"any": HELLO}),
    ("any must be a list of turns and stand alone", {"any": [HELLO], "repeat": True}),
    ("unknown fields of a turn: boody", {"status": 200, "boody": {}}),
    ("unknown fields of a turn: boody", {"any": [{"status": 200, "boody": {}}]}),
    (
        "last_tool_result 'fine' is unknown",
        HELLO | {"when": {"last_tool_result": "fine"}},
    ),
    ("when must be an object", HELLO | {"when": "error"}),
    ("when must be an object", HELLO | {"when": {}}),
    ("when must be an object", HELLO | {"when": {"last_tool_reslut": "ok"}}),
    ("status must be a number", {"status": "503"}),
    ("status must be a number", {"status": None}),
    ("headers must be an object of texts", {"status": 429, "headers": ["a: b"]}),
    ("headers must be an object of texts", {"status": 429, "headers": {"a": 2}}),
    ("sse must be a list of texts", {"sse": "data: {}"}),
    ("sse must be a list of texts", {"sse": [{}]}),
    ("end must be done, eof or reset", {"sse": [], "end": "later"}),
    ("no fact is called {{order.weight}}", says("{{order.weight}} kg")),
]


def damage(path: Path, **how: Any) -> str:
    with pytest.raises(LabError) as caught:
        read_recording(path, **how)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("fault", "header"), HEADERS.items())
def test_a_damaged_header_is_named(file: Write, fault: str, header: Any) -> None:
    assert f", line 1: {fault}" in damage(file(header, HELLO))


@pytest.mark.parametrize(("fault", "header"), FAILURES)
def test_a_damaged_failure_is_named(file: Write, fault: str, header: Any) -> None:
    assert f", line 1: {fault}" in damage(file(header, HELLO))


@pytest.mark.parametrize(("fault", "turn"), TURNS, ids=lambda value: str(value)[:60])
def test_a_damaged_turn_is_named_with_its_line(
    file: Write, fault: str, turn: Any
) -> None:
    assert f", line 3: {fault}" in damage(file(HEADER, HELLO, turn, HELLO))


def test_a_placeholder_is_unknown_if_the_shop_has_no_such_fact(file: Write) -> None:
    path = file(HEADER, says("{{order.weight}}"))
    assert "{{order.weight}}" in damage(path, facts={"order.weight_kg": "1"})


def test_a_recording_without_turns_is_damaged(file: Write) -> None:
    assert ", line 2: there is no turn" in damage(file(HEADER))


def test_an_empty_file_is_damaged(file: Write) -> None:
    assert ", line 1: the file is empty" in damage(file())


def test_a_file_that_is_not_utf_8_is_named(file: Write) -> None:
    path = file(HEADER, HELLO)
    path.write_bytes(path.read_bytes() + b"\xff\n")
    assert "cannot be read" in damage(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "cannot be read" in damage(tmp_path / "nowhere.jsonl")


def test_the_error_is_one_line_that_says_what_to_do(file: Write) -> None:
    text = damage(file(HEADER, {}))
    assert re.fullmatch(r".+; mend the line or record it anew\.", text)
