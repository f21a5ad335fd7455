"""A batch: one line for each file, whatever it holds and whatever ends the grader."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from labkit.checking.submission import Submission
from labkit.errors import LabError
from labkit.grading.journal import Journal
from tests.grading.batches import (
    LESSON,
    ForkedGrounds,
    graded,
    hand_in,
    labkit,
    results,
    right,
    scores,
    wrong,
)


def test_each_file_ends_in_one_line(tmp_path: Path) -> None:
    folder = hand_in(
        tmp_path / "in", ann=right(0), bob=wrong(), cy="", dee="def dispatch(:"
    )
    count = graded(folder, tmp_path / "out")
    found = results(tmp_path / "out")
    assert list(found) == ["ann", "bob", "cy", "dee"]
    assert found["ann"]["score"] == found["ann"]["max_score"] > found["bob"]["score"]
    assert found["cy"]["status"] == "not_gradable"
    assert "empty" in found["cy"]["notes"][0]
    assert found["dee"]["checks"][0]["outcome"] == "error"
    assert (count.results, count.passed, count.exit_code) == (4, 1, 1)


def test_a_line_has_the_fields_of_the_contract(tmp_path: Path) -> None:
    graded(hand_in(tmp_path / "in", ann=right()), tmp_path / "out")
    record = results(tmp_path / "out")["ann"]
    assert list(record)[-2:] == ["checks", "grading"]
    assert list(record["grading"]) == [
        "student",
        "path",
        "sha256",
        "tier",
        "attempt",
        "flaky",
        "same_as",
        "seed",
        "started",
        "ended",
    ]
    assert record["grading"]["seed"] == record["seed"] == 7


def test_if_all_passed_the_exit_status_is_0(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob=right(1))
    assert graded(folder, tmp_path / "out").exit_code == 0


def test_the_same_file_runs_once_and_says_so(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob=right(0), cy=right(1))
    grounds = ForkedGrounds()
    graded(folder, tmp_path / "out", grounds)
    found = results(tmp_path / "out")
    assert len(grounds.placed) == 2
    copy = {name: found[name]["grading"]["same_as"] for name in found}
    assert copy == {"ann": None, "bob": "ann", "cy": None}
    assert found["bob"]["grading"]["student"] == "bob"
    assert found["bob"]["checks"] == found["ann"]["checks"]


def test_a_report_does_not_name_another_who_handed_in_the_same(tmp_path: Path) -> None:
    code = right().replace("def dispatch", "def dispatched")
    folder = hand_in(tmp_path / "in", annabel=code, bob=code)
    graded(folder, tmp_path / "out")
    record = results(tmp_path / "out")["bob"]
    assert "does not define dispatch" in record["notes"][0]
    assert "annabel" not in json.dumps([record["notes"], record["checks"]])


def test_what_is_unchanged_does_not_run_again(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob=wrong())
    graded(folder, tmp_path / "out")
    before = scores(tmp_path / "out")
    hand_in(folder, bob=right(1), cy=right(0))
    grounds = ForkedGrounds()
    count = graded(folder, tmp_path / "out", grounds)
    assert grounds.placed == [right(1)]
    assert (count.results, count.fresh) == (3, 2)
    after = scores(tmp_path / "out")
    assert after["ann"] == after["bob"] == before["ann"]
    assert results(tmp_path / "out")["cy"]["grading"]["same_as"] == "ann"


def test_results_of_students_who_are_not_given_stay(tmp_path: Path) -> None:
    graded(hand_in(tmp_path / "early", ann=right()), tmp_path / "out")
    graded(hand_in(tmp_path / "late", bob=right()), tmp_path / "out")
    assert list(results(tmp_path / "out")) == ["ann", "bob"]


def test_a_renamed_submission_leaves_no_old_line(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right())
    graded(folder, tmp_path / "out")
    file = folder / "ann" / f"{LESSON}.py"
    file.rename(file.with_name(f"{LESSON}_new.py"))
    (folder / "ann" / f"{LESSON}_draft.py").write_text(wrong(), encoding="utf-8")
    graded(folder, tmp_path / "out")
    found = results(tmp_path / "out")
    assert len(found) == 2
    assert {r["grading"]["student"] for r in found.values()} == {"ann"}


def test_a_result_is_shown_when_its_line_is_on_disk(tmp_path: Path) -> None:
    journal = tmp_path / "out" / "journal.jsonl"
    shown: list[str] = []

    def show(record: dict[str, Any]) -> None:
        lines = journal.read_text(encoding="utf-8").splitlines()
        last = json.loads(lines[-1])
        assert last["event"] == "result"
        assert last["record"]["submission"] == record["submission"]
        shown.append(record["submission"])

    folder = hand_in(tmp_path / "in", ann=right(), bob=wrong())
    graded(folder, tmp_path / "out", show=show)
    assert sorted(shown) == ["ann", "bob"]


class Killed(BaseException):
    """The end of a grader, without a chance to write anything more."""


def killing(word: str) -> ForkedGrounds:
    """Grounds on which a submission with this word in it ends the grader."""

    def end(submission: Submission) -> None:
        if word in submission.cells[0].source:
            raise Killed

    return ForkedGrounds(end)


def test_what_ends_the_grader_twice_is_set_aside(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob="deadly = 1", cy=right(1))
    out = tmp_path / "out"
    for _ in range(2):
        with pytest.raises(Killed):
            graded(folder, out, killing("deadly"))
    grounds = killing("deadly")
    count = graded(folder, out, grounds)
    found = results(out)
    assert found["bob"]["status"] == "internal"
    assert (found["bob"]["score"], found["bob"]["max_score"]) == (0, 0)
    assert found["ann"]["status"] == found["cy"]["status"] == "graded"
    assert found["ann"]["score"] == found["ann"]["max_score"]
    assert "deadly = 1" not in grounds.placed
    assert count.exit_code == 2


def test_what_is_set_aside_stays_there(tmp_path: Path) -> None:
    folder, out = hand_in(tmp_path / "in", bob="deadly = 1"), tmp_path / "out"
    for _ in range(2):
        with pytest.raises(Killed):
            graded(folder, out, killing("deadly"))
    graded(folder, out, killing("deadly"))
    assert graded(folder, out, killing("deadly")).fresh == 0


def test_what_ran_when_the_grader_ended_is_run_last(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann="deadly = 1", bob=right(0), cy=right(1))
    with pytest.raises(Killed):
        graded(folder, tmp_path / "out", killing("deadly"))
    grounds = ForkedGrounds()
    graded(folder, tmp_path / "out", grounds)
    assert grounds.placed[-1] == "deadly = 1"
    assert results(tmp_path / "out")["ann"]["grading"]["attempt"] == 2


def test_a_fault_of_the_grader_costs_no_point_and_is_tried_again(
    tmp_path: Path,
) -> None:
    def fail(submission: Submission) -> None:
        if "odd" in submission.cells[0].source:
            raise ValueError("never thought of")

    folder = hand_in(tmp_path / "in", ann=right(), bob=f"odd = 1\n{wrong()}")
    count = graded(folder, tmp_path / "out", ForkedGrounds(fail))
    record = results(tmp_path / "out")["bob"]
    assert (record["status"], record["max_score"]) == ("internal", 0)
    assert "ValueError: never thought of" in record["notes"][0]
    assert (count.labs_faults, count.exit_code) == (1, 2)
    assert graded(folder, tmp_path / "out").exit_code == 1
    assert results(tmp_path / "out")["bob"]["status"] == "graded"


def test_an_outcome_of_load_is_run_again_and_the_better_one_counts(
    tmp_path: Path,
) -> None:
    mark = tmp_path / "ran_once"
    slow_once = (
        f"import os, pathlib\nonce = pathlib.Path({str(mark)!r})\n"
        "if not once.exists():\n    once.touch()\n    os._exit(1)\n"
    )
    folder = hand_in(tmp_path / "in", ann=slow_once + right())
    count = graded(folder, tmp_path / "out")
    record = results(tmp_path / "out")["ann"]
    assert record["grading"]["flaky"] is True
    assert record["grading"]["attempt"] == 2
    assert record["score"] == record["max_score"]
    assert "crashed, then passed" in record["notes"][-1]
    assert count.exit_code == 0
    kept = (tmp_path / "out" / "journal.jsonl").read_text(encoding="utf-8")
    assert [e["event"] for e in map(json.loads, kept.splitlines())][1:] == [
        "start",
        "first",
        "start",
        "result",
    ]


def test_what_crashes_twice_is_not_flaky(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann="import os\nos._exit(1)\n")
    graded(folder, tmp_path / "out")
    record = results(tmp_path / "out")["ann"]
    assert record["grading"]["flaky"] is False
    assert record["grading"]["attempt"] == 2
    assert {c["outcome"] for c in record["checks"]} == {"crashed", "skipped"}


def test_a_first_run_is_not_lost_with_the_grader(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann="import os\nos._exit(1)\n")
    starts = iter([False, True])

    def second(submission: Submission) -> None:
        if next(starts):
            raise Killed

    with pytest.raises(Killed):
        graded(folder, tmp_path / "out", ForkedGrounds(second))
    grounds = ForkedGrounds()
    graded(folder, tmp_path / "out", grounds)
    assert len(grounds.placed) == 1
    assert results(tmp_path / "out")["ann"]["grading"]["attempt"] == 2


def test_a_key_is_in_nothing_that_is_written(tmp_path: Path) -> None:
    key = "sk-proj-" + "aB3" * 12
    folder = hand_in(tmp_path / "in", ann=f"raise ValueError({key!r})\n{right()}")
    graded(folder, tmp_path / "out")
    for file in (tmp_path / "out").rglob("*.jsonl"):
        assert key not in file.read_text(encoding="utf-8")
    assert any("API key" in note for note in results(tmp_path / "out")["ann"]["notes"])


def test_another_seed_for_the_same_folder_is_one_sentence(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right())
    graded(folder, tmp_path / "out")
    words = labkit(
        "grade", folder, "--out", tmp_path / "out", "--lessons", LESSON, "--seed", 8
    )
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "graded with seed 7; leave --seed out" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seed", "0"], "Seed 0 is the one that learners see"),
        (["--shard", "1/2"], "Shards have to agree on a seed"),
        (["--shard", "3/2", "--seed", "5"], "no part of a whole"),
        (["--lessons", "lesson_99"], "There is no lesson 'lesson_99'"),
        (["--cluster", "tcp://192.0.2.1:8786"], "start the scheduler and its workers"),
    ],
)
def test_a_wrong_command_is_one_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    folder = hand_in(tmp_path / "in", ann=right())
    done = subprocess.run(
        labkit("grade", folder, "--out", tmp_path / "out", *words),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_drawn_seed_is_kept_and_is_not_the_learners(tmp_path: Path) -> None:
    from labkit.checking.check import load_checker
    from labkit.grading.setup import begin

    checkers = {LESSON: load_checker(LESSON)}
    seeds = []
    for _ in range(2):
        journal = Journal(tmp_path)
        seeds.append(begin(journal, checkers, None))
        journal.close()
    assert seeds[0] == seeds[1] > 0


def test_another_checker_for_the_same_folder_is_one_sentence(
    lab_copy: Path, tmp_path: Path
) -> None:
    folder, out = hand_in(tmp_path / "in", ann=right()), tmp_path / "out"
    graded(folder, out)
    with open(lab_copy / "checkers" / f"{LESSON}.py", "a", encoding="utf-8") as file:
        file.write("# corrected\n")
    with pytest.raises(LabError, match="judge again with --only CHECK"):
        graded(folder, out)


GRADE = ("--lessons", LESSON, "--seed", 7, "--slots", 2, "--allow-weak-isolation")


def test_a_batch_that_is_killed_is_completed_by_the_same_command(
    tmp_path: Path,
) -> None:
    codes = [right(0), right(1), wrong(0), wrong(1)]
    students = {f"s{n:02}": f"{codes[n % 4]}\n# {n}\n" for n in range(16)}
    folder = hand_in(tmp_path / "in", **students)
    killed = labkit("grade", folder, "--out", tmp_path / "killed", *GRADE)
    grader = subprocess.Popen(killed, stdout=subprocess.PIPE, text=True)
    assert grader.stdout is not None
    seen = [grader.stdout.readline().split("\t")[0] for _ in range(3)]
    os.kill(grader.pid, signal.SIGKILL)
    grader.communicate()
    events = _events(tmp_path / "killed")
    done = [e["record"]["submission"] for e in events if e["event"] == "result"]
    assert len(done) < len(students)
    assert set(seen) <= set(done)  # what was shown had been written
    again = subprocess.run(killed, capture_output=True, text=True, check=False)
    assert again.returncode == 1
    told = [line.split("\t")[0] for line in again.stdout.splitlines()]
    assert sorted(told + done) == sorted(students)
    whole = labkit("grade", folder, "--out", tmp_path / "whole", *GRADE)
    subprocess.run(whole, capture_output=True, check=False)
    assert scores(tmp_path / "killed") == scores(tmp_path / "whole")
    assert len(scores(tmp_path / "whole")) == len(students)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_end_that_is_asked_for_keeps_what_is_done(
    tmp_path: Path, number: signal.Signals
) -> None:
    waits = "import time\ntime.sleep(60)\n"
    students = {f"s{n}": f"{waits}# {n}" for n in range(3)} | {"ann": right()}
    folder = hand_in(tmp_path / "in", **students)
    words = labkit("grade", folder, "--out", tmp_path / "out", *GRADE)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    grader = subprocess.Popen(words, text=True, **pipes)  # type: ignore[call-overload]
    assert grader.stdout.readline().startswith("ann\t")
    grader.send_signal(number)
    _, told = grader.communicate()
    assert grader.returncode == 2
    assert "stopped by you; 1 new results are kept" in told
    assert told.count("\n") == 1
    kinds = [event["event"] for event in _events(tmp_path / "out")]
    assert kinds.count("left") == kinds.count("start") - 1 >= 1
    assert list(results(tmp_path / "out")) == ["ann"]


def _events(out: Path) -> list[dict[str, Any]]:
    lines = (out / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    return [json.loads(line) for line in lines]


def test_a_file_that_changes_while_the_batch_runs_is_tried_again(
    tmp_path: Path,
) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob=right(1))

    def change(submission: Submission) -> None:
        hand_in(folder, bob=wrong())

    count = graded(folder, tmp_path / "out", ForkedGrounds(change))
    assert count.exit_code == 2
    assert results(tmp_path / "out")["bob"]["status"] == "internal"
    assert graded(folder, tmp_path / "out").exit_code == 1
    assert results(tmp_path / "out")["bob"]["status"] == "graded"
