"""The journal: on disk before anybody is told, and readable after any end."""

import json
from pathlib import Path
from typing import Any

import pytest

from labkit.errors import LabError
from labkit.grading.journal import Journal, read_batch, write_results


def result(submission: str, score: int = 1, **fields: Any) -> dict[str, Any]:
    record = {"submission": submission, "lesson": "lesson_x", "score": score}
    record |= {"status": "graded", "grading": {"student": submission}} | fields
    return {"event": "result", "key": f"key-{submission}", "record": record}


def reopened(folder: Path) -> Journal:
    journal = Journal(folder)
    journal.close()
    return journal


def written(folder: Path, *events: dict[str, Any]) -> Journal:
    journal = Journal(folder)
    journal.append(*events)
    journal.close()
    return reopened(folder)


START = {"event": "start", "key": "key-ann"}


def test_a_result_is_there_after_reopening(tmp_path: Path) -> None:
    written(tmp_path, result("ann", score=3))
    journal = Journal(tmp_path)
    [record] = journal.records()
    journal.close()
    assert (record["submission"], record["score"]) == ("ann", 3)


def test_an_event_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(result("ann"))
    text = (tmp_path / "journal.jsonl").read_text(encoding="utf-8")
    journal.close()
    assert json.loads(text)["record"]["submission"] == "ann"


@pytest.mark.parametrize("kept", range(0, 90, 7))
def test_a_line_that_was_cut_off_is_cut_away(tmp_path: Path, kept: int) -> None:
    written(tmp_path, result("ann"))
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + json.dumps(result("bob")).encode()[:kept])
    journal = reopened(tmp_path)
    assert [name for name, _ in journal.results] == ["ann"]
    assert path.read_bytes() == whole


def test_what_is_appended_after_a_cut_line_is_read_again(tmp_path: Path) -> None:
    written(tmp_path, result("ann"))
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes() + b'{"event": "sta')
    journal = written(tmp_path, result("bob"))
    assert [name for name, _ in journal.results] == ["ann", "bob"]


def test_a_damaged_line_in_the_middle_is_one_sentence(tmp_path: Path) -> None:
    written(tmp_path, result("ann"))
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"no json\n" + path.read_bytes())
    with pytest.raises(LabError, match=r"journal.jsonl, line 1: damaged"):
        Journal(tmp_path)


def test_of_two_results_the_last_one_counts(tmp_path: Path) -> None:
    written(tmp_path, result("ann", score=1), result("ann", score=2))
    journal = Journal(tmp_path)
    path = write_results(journal)
    journal.close()
    [line] = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["score"] == 2


def test_a_result_that_is_gone_does_not_count(tmp_path: Path) -> None:
    gone = {"event": "gone", "submission": "ann", "lesson": "lesson_x"}
    assert not written(tmp_path, result("ann"), gone).results


@pytest.mark.parametrize(
    ("events", "strikes"),
    [
        ([START], 1),
        ([START, START], 2),
        ([START, result("ann")], 0),
        ([START, START, result("ann")], 1),
        ([START, {"event": "left", "key": "key-ann"}], 0),
        ([START, {"event": "first", "key": "key-ann", "run": {}}], 0),
        ([START | {"here": False}], 0),
        ([{"event": "fatal", "key": "key-ann"}], 2),
    ],
)
def test_a_start_that_nothing_came_of_is_counted(
    tmp_path: Path, events: list[dict[str, Any]], strikes: int
) -> None:
    assert written(tmp_path, *events).strikes["key-ann"] == strikes


def test_two_graders_cannot_write_to_one_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(LabError, match="another labkit is writing to it"):
        Journal(tmp_path)
    journal.close()
    reopened(tmp_path)


def test_a_folder_without_a_journal_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"no journal.jsonl in it"):
        read_batch(tmp_path)
    assert not list(tmp_path.iterdir())


def test_results_are_written_whole_and_in_order(tmp_path: Path) -> None:
    written(tmp_path, result("cy"), result("ann"), result("bob"))
    (tmp_path / "results.jsonl").write_text("old\n", encoding="utf-8")
    journal = Journal(tmp_path)
    lines = write_results(journal).read_text(encoding="utf-8").splitlines()
    journal.close()
    names = [json.loads(line)["submission"] for line in lines]
    assert names == ["ann", "bob", "cy"]
