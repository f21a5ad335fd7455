"""Each call leaves one line, and what is too long to send is cut."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from labkit.agent import Call, Limits, Result
from tests.agent.conftest import StageFor
from tests.agent.turns import asks, call, says

FIELDS = ["step", "tool", "arguments", "result_chars"]
FIELDS += ["truncated", "seconds", "tokens"]
TABLE = asks(call("list_orders"))


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def trace() -> io.StringIO:
    return io.StringIO()


def test_each_call_leaves_one_line_with_the_seven_fields(
    stage: StageFor, trace: io.StringIO
) -> None:
    sums = [call("calculator", {"expression": "1"}, f"call_{n}") for n in range(3)]
    stage(asks(*sums), says("Done."), trace=trace).run()
    assert [list(line) for line in lines_of(trace.getvalue())] == [FIELDS] * 3


@pytest.mark.parametrize("asked", [call("refund", "{"), call("find_order")])
def test_a_failing_call_leaves_its_line_too(
    stage: StageFor, trace: io.StringIO, asked: Any
) -> None:
    stage(asks(asked), says("Done."), trace=trace).run()
    [line] = lines_of(trace.getvalue())
    assert line["tool"] == asked["function"]["name"]
    assert line["arguments"] == asked["function"]["arguments"]


def test_step_and_tokens_are_the_runs_so_far(
    stage: StageFor, trace: io.StringIO
) -> None:
    two = asks(call("list_orders", id="call_1"), call("list_orders", id="call_2"))
    stage(two, TABLE, says("Done."), trace=trace).run()
    lines = lines_of(trace.getvalue())
    assert [line["step"] for line in lines] == [1, 1, 2]
    assert [line["tokens"] for line in lines] == [100, 100, 200]


def test_the_time_in_the_line_is_the_tools(stage: StageFor, trace: io.StringIO) -> None:
    asked = Call("call_1", "calculator", "{}", seconds=0.25)
    stage(trace=trace).agent.on_tool_result(Result("?"), asked, "{}")
    assert lines_of(trace.getvalue())[0]["seconds"] == 0.25


@pytest.mark.parametrize(("length", "cut"), [(300, False), (301, True)])
def test_the_line_says_whether_it_was_cut_and_how_long_it_was_before(
    stage: StageFor, trace: io.StringIO, length: int, cut: bool
) -> None:
    agent = stage(trace=trace, limits=Limits(result_chars=300)).agent
    agent.on_tool_result(Result("?"), Call("call_1", "echo", "{}"), "x" * length)
    [line] = lines_of(trace.getvalue())
    assert (line["result_chars"], line["truncated"]) == (length, cut)


def test_the_next_request_carries_the_short_text(stage: StageFor) -> None:
    made = stage(TABLE, says("Done."), limits=Limits(result_chars=500))
    made.run()
    sent = made.requests[1]["messages"][3]["content"]
    assert 490 <= len(sent) <= 500
    assert "left out" in sent


def test_the_result_keeps_the_whole_outcome(stage: StageFor) -> None:
    result = stage(TABLE, says("Done."), limits=Limits(result_chars=500)).run()
    assert len(json.loads(result.tool_calls[0]["result"])["orders"]) > 100


def test_eight_thousand_characters_are_sent_by_default(stage: StageFor) -> None:
    made = stage(TABLE, says("Done."))
    made.run()
    assert 7_990 <= len(made.requests[1]["messages"][3]["content"]) <= 8_000


@pytest.mark.parametrize("kind", ["path", "file"])
def test_the_line_is_on_disk_when_it_was_written(
    stage: StageFor, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "trace.jsonl"
    with path.open("a", encoding="utf-8") as file:
        agent = stage(trace=path if kind == "path" else file).agent
        agent.on_tool_result(Result("?"), Call("call_1", "echo", "{}"), "{}")
        assert len(lines_of(path.read_text("utf-8"))) == 1


def test_a_trace_is_appended_to_by_the_next_run(
    stage: StageFor, tmp_path: Path
) -> None:
    path = tmp_path / "trace.jsonl"
    made = stage(TABLE, says("One."), TABLE, says("Two."), trace=str(path))
    made.run()
    made.run()
    assert [line["step"] for line in lines_of(path.read_text("utf-8"))] == [1, 1]
