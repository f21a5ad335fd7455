"""A recording is read as it was written, and filled with the shop's facts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labkit.replay.recording import read_recording
from tests.agent.turns import asks, call, says
from tests.replay.conftest import HEADER, Recorded

Write = Callable[..., Path]
LIVE = {
    "origin": "live",
    "model": "some-model",
    "server": "a server",
    "recorded_at": "2026-01-01",
    "sampling": {"temperature": 0},
}
TURNS = [
    says("Hello."),
    {"status": 429, "headers": {"retry-after": "2"}, "body": {"error": {}}},
    {"status": 502, "body": "<html></html>"},
    {"status": 204},
    {"sse": ["data: {}", ": keep-alive"], "end": "eof"},
    {"sse": []},
    {"any": [{"when": {"last_tool_result": "error"}, "body": {}}, {"body": {}}]},
    {"any": [{"repeat": True, "body": {}}]},
]


def test_a_recording_is_called_like_its_file(recorded: Recorded) -> None:
    assert recorded(says("Hello.")).name == "small_talk"


@pytest.mark.parametrize("turn", TURNS, ids=str)
def test_every_kind_of_turn_is_read_as_it_was_written(
    recorded: Recorded, turn: Any
) -> None:
    assert recorded(turn).turns == [turn]


def test_the_turns_keep_the_files_order(recorded: Recorded) -> None:
    assert recorded(*TURNS).turns == TURNS


@pytest.mark.parametrize(
    "fields",
    [LIVE, LIVE | {"origin": "edited", "source": "x"}, {"source": "a public report"}],
    ids=["live", "edited", "invented"],
)
def test_the_header_says_where_a_recording_comes_from(
    file: Write, fields: dict[str, Any]
) -> None:
    assert read_recording(file(HEADER | fields, says("Hi."))).header == HEADER | fields


def test_the_header_of_a_failure_says_what_a_right_loop_does(file: Write) -> None:
    right = {"does": "Pays once.", "stopped_by": ["answered"], "tools": []}
    asked = right | {"requests": [1, 2], "answer": "x", "error": "y"}
    setup = {"limits": {"steps": 5}, "options": {}, "level": "strict", "instead": {}}
    header = HEADER | {"id": "C11", "control": True, "right": asked, "setup": setup}
    line = json.dumps(header).replace('"answer": "x"', '"refunded": {{order.price}}')
    read = read_recording(file(line, says("Hi.")), {"order.price": "12.5"})
    assert read.header["right"]["refunded"] == 12.5
    assert read.header["setup"] == setup


def test_placeholders_are_filled_wherever_they_stand(file: Write) -> None:
    header = HEADER | {"title": "On {{order.id}}", "question": "{{order.id}}?"}
    turn = asks(call("lookup_order", '{"order_id": "{{order.id}}"}'))
    line = json.dumps({"sse": ['data: "{{order.id}}"']})
    read = read_recording(file(header, turn, line), {"order.id": "NW-1041"})
    assert read.header["title"] == "On NW-1041"
    assert read.question == "NW-1041?"
    assert read.turns[0] == asks(call("lookup_order", '{"order_id": "NW-1041"}'))
    assert read.turns[1] == {"sse": ['data: "NW-1041"']}


def test_a_placeholder_is_filled_as_plain_text(recorded: Recorded) -> None:
    turn = '{"body": {"price": {{order.price}}}}'
    assert recorded(turn, facts={"order.price": "12.5"}).turns == [
        {"body": {"price": 12.5}}
    ]


def test_facts_that_are_not_used_do_not_matter(recorded: Recorded) -> None:
    assert recorded(says("Hi."), facts={"order.id": "x"}).turns == [says("Hi.")]


@pytest.mark.parametrize("text", ["{order.id}", "{{ name }}", "{{", "}}", "{}{}"])
def test_braces_that_are_no_placeholder_stay(recorded: Recorded, text: str) -> None:
    assert recorded(says(text)).turns == [says(text)]


@pytest.mark.parametrize("text", ["\u2028", "\u2029", "\x85", "\x0c\x1c", "caf\u00e9"])
def test_only_a_line_feed_ends_a_line(recorded: Recorded, text: str) -> None:
    turn = json.dumps(says(f"one{text}two"), ensure_ascii=False)
    assert recorded(turn).turns == [says(f"one{text}two")]


def test_the_last_line_may_end_without_a_line_feed(file: Write) -> None:
    path = file(HEADER, says("Hi."))
    path.write_text(path.read_text("utf-8").rstrip("\n"), "utf-8")
    assert read_recording(path).turns == [says("Hi.")]


def test_lines_may_end_as_they_do_on_windows(file: Write) -> None:
    path = file(HEADER, says("Hi."))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_recording(path).turns == [says("Hi.")]
