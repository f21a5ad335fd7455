"""A log appends one line per write, and the line is there when write returns."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from labkit.agent.log import Log

AWKWARD = ["line\nbreak", "caf\u00e9 \u2615", "half \ud83d", "\u2028", Path("a"), None]


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_appended_to_line_by_line(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"kept": true}\n')
    log = Log(kind(path))
    log.write(tool="refund", amount=5)
    log.write(tool="refund", amount=6)
    assert lines_of(path) == [
        {"kept": True},
        {"tool": "refund", "amount": 5},
        {"tool": "refund", "amount": 6},
    ]


def test_a_path_is_not_left_to_the_systems_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "audit.jsonl", []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(lines_of(path)))
    Log(path).write(tool="refund")
    assert synced == [[{"tool": "refund"}]]


def test_a_line_in_an_open_file_can_be_read_before_the_file_is_closed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "trace.jsonl"
    with path.open("w", encoding="utf-8") as file:
        Log(file).write(step=1)
        assert lines_of(path) == [{"step": 1}]


def test_a_line_can_go_to_a_file_in_memory() -> None:
    memory = io.StringIO()
    Log(memory).write(step=1)
    assert memory.getvalue() == '{"step": 1}\n'


def test_without_a_target_nothing_happens() -> None:
    Log(None).write(step=1)


@pytest.mark.parametrize("value", AWKWARD, ids=ascii)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_any_value_is_one_line_in_a_file_of_any_encoding(
    tmp_path: Path, value: Any, encoding: str
) -> None:
    path = tmp_path / "trace.jsonl"
    with path.open("w", encoding=encoding) as file:
        Log(file).write(value=value)
    [line] = lines_of(path)
    assert line == {"value": str(value) if isinstance(value, Path) else value}


def test_a_path_that_cannot_be_written_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        Log(tmp_path / "nowhere" / "audit.jsonl").write(tool="refund")
