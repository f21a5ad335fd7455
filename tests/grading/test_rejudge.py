"""Kept evidence is judged again with a corrected check; no code runs for it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from labkit.checking.check import load_checker
from labkit.errors import LabError
from labkit.grading.rejudge import rejudge
from labkit.grading.setup import Order
from labkit.grading.stored import evidence_file, read_evidence
from tests.grading.batches import (
    LESSON,
    SEED,
    graded,
    hand_in,
    labkit,
    results,
    right,
    scores,
    wrong,
)

BUG = '''

@check(*{scenarios}, points=5)
def has_a_bug(*seen):
    """a claim that is judged wrongly at first"""
    {body}
'''
ALWAYS = 'return Failure("all wrong", "nothing", "wait for the correction")'
NEVER = "return None"
RAISES = "raise KeyError('price')"


def with_check(lab: Path, body: str) -> None:
    """Let the lesson's checker end in one more check, about what the first is about."""
    path = lab / "checkers" / f"{LESSON}.py"
    text = path.read_text(encoding="utf-8").split("\n\n@check(*")[0]
    first = load_checker(LESSON).checks[0].id
    body = BUG.format(scenarios=f"{first}.scenarios", body=body)
    path.write_text(text.rstrip("\n") + body, encoding="utf-8")


@pytest.fixture
def batch(lab_copy: Path, tmp_path: Path) -> Order:
    """Two students, graded with a check that fails everybody."""
    with_check(lab_copy, ALWAYS)
    mine = right() + "# mine"
    folder = hand_in(tmp_path / "in", ann=mine, bob=wrong(), cy=mine)
    graded(folder, tmp_path / "out")
    elsewhere = hand_in(tmp_path / "elsewhere", zoe=right())
    return Order([elsewhere], tmp_path / "out", [LESSON])


def again(order: Order, check: str = "has_a_bug") -> list[str]:
    told: list[str] = []
    rejudge(order, [check], told.append)
    return told


def test_a_corrected_check_changes_the_scores_and_says_which(
    lab_copy: Path, batch: Order
) -> None:
    before = scores(batch.out)
    with_check(lab_copy, NEVER)
    told = again(batch)
    after = scores(batch.out)
    assert {name: after[name][0] - before[name][0] for name in before} == {
        "ann": 5,
        "bob": 5,
        "cy": 5,
    }
    low, high = before["ann"][0], before["ann"][1]
    change = f"{low}/{high} -> {low + 5}/{high}"
    assert f"ann\t{LESSON}\t{change}\thas_a_bug failed -> passed" in told
    assert len(told) == 3


def test_judging_again_without_a_correction_changes_nothing(batch: Order) -> None:
    before = scores(batch.out)
    size = (batch.out / "journal.jsonl").stat().st_size
    assert again(batch) == []
    assert scores(batch.out) == before
    lines = (batch.out / "journal.jsonl").read_bytes()[size:].splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["batch"]


def test_other_verdicts_stay(lab_copy: Path, batch: Order) -> None:
    before = results(batch.out)["bob"]["checks"]
    with_check(lab_copy, NEVER)
    again(batch)
    after = results(batch.out)["bob"]["checks"]
    assert after[:-1] == before[:-1]


def test_a_check_that_cannot_judge_costs_no_point(lab_copy: Path, batch: Order) -> None:
    before = scores(batch.out)["ann"]
    with_check(lab_copy, RAISES)
    assert rejudge(batch, ["has_a_bug"], print).exit_code == 2
    assert scores(batch.out)["ann"] == (before[0], before[1] - 5)


def test_after_judging_again_the_batch_goes_on(lab_copy: Path, batch: Order) -> None:
    with_check(lab_copy, NEVER)
    again(batch)
    late = hand_in(batch.out.parent / "late", dee=right())
    graded(late, batch.out)
    assert scores(batch.out)["dee"] == scores(batch.out)["ann"]


def test_without_evidence_its_code_runs_again_if_it_is_given(
    lab_copy: Path, batch: Order
) -> None:
    with_check(lab_copy, NEVER)
    sha256 = results(batch.out)["ann"]["grading"]["sha256"]
    evidence_file(batch.out, sha256, LESSON, SEED).unlink()
    told = again(batch)
    assert f"ann\t{LESSON}\tits code has to run again; give its path" in told
    again(Order([batch.out.parent / "in"], batch.out, [LESSON], allow_weak=True))
    assert scores(batch.out)["ann"][0] == scores(batch.out)["ann"][1]


def test_damaged_evidence_is_as_if_there_was_none(batch: Order) -> None:
    sha256 = results(batch.out)["bob"]["grading"]["sha256"]
    path = evidence_file(batch.out, sha256, LESSON, SEED)
    path.write_bytes(path.read_bytes()[:-9])
    assert read_evidence(path) is None
    assert any(line.startswith("bob\t") for line in again(batch))


def test_evidence_says_which_scenario_it_is_of(batch: Order) -> None:
    sha256 = results(batch.out)["ann"]["grading"]["sha256"]
    kept = read_evidence(evidence_file(batch.out, sha256, LESSON, SEED))
    assert list(kept) == ["arrival", "scenarios", "cells"]
    first: dict[str, Any] = kept["scenarios"][0]
    assert list(first) == ["index", "recording", "part", "scenario", "evidence"]
    assert list(first["evidence"]) == ["events", "returned", "raised", "not_started"]


def test_an_unknown_check_is_one_sentence(batch: Order) -> None:
    with pytest.raises(LabError, match="There is no check 'has_a_bag'; did you mean"):
        again(batch, "has_a_bag")


def test_the_command_tells_what_changed(tmp_path: Path) -> None:
    graded(hand_in(tmp_path / "in", ann=right()), tmp_path / "out")
    check = load_checker(LESSON).checks[0].id
    words = labkit("grade", tmp_path / "in", "--out", tmp_path / "out", "--only", check)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("1 result, all checks passed in 1")
