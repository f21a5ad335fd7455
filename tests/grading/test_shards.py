"""Parts of a batch, and the parts joined."""

import subprocess
from pathlib import Path

import pytest

from labkit.checking.check import load_checker
from labkit.errors import LabError
from labkit.grading.batch import grade_all
from labkit.grading.handed_in import collect
from labkit.grading.journal import Journal
from labkit.grading.setup import begin
from labkit.grading.shards import Shard, merge, shard
from labkit.grading.stored import evidence_file, read_evidence
from tests.grading.batches import (
    LESSON,
    SEED,
    ForkedGrounds,
    graded,
    hand_in,
    labkit,
    results,
    right,
    scores,
    wrong,
)

STUDENTS = {f"student_{n}": (right, wrong)[n % 2]() + f"\n# {n}" for n in range(6)}


def part(folder: Path, out: Path, which: Shard, seed: int = SEED) -> Path:
    """What one machine does."""
    handed_in = [one for one in collect([folder]) if which.holds(one.student)]
    journal, checkers = Journal(out), {LESSON: load_checker(LESSON)}
    try:
        begin(journal, checkers, seed)
        grade_all(handed_in, journal, checkers, seed, ForkedGrounds(), 1)
    finally:
        journal.close()
    return out


def joined(folders: list[Path], out: Path) -> Path:
    merge(folders, out).close()
    return out


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    folder = hand_in(tmp_path / "in", **STUDENTS)
    return [part(folder, tmp_path / f"part{n}", Shard(n, 2)) for n in (1, 2)]


def test_each_student_belongs_to_exactly_one_part() -> None:
    for name in [f"student {n}" for n in range(100)]:
        assert sum(Shard(n, 7).holds(name) for n in range(1, 8)) == 1


def test_the_parts_of_a_large_class_are_about_as_large() -> None:
    held = [
        sum(Shard(n, 4).holds(f"student {k}") for k in range(1000)) for n in range(1, 5)
    ]
    assert min(held) > 200


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2", "1/"])
def test_what_is_no_part_is_one_sentence(text: str) -> None:
    with pytest.raises(LabError, match="no part of a whole; give one such as 2/5"):
        shard(text)


def test_joined_parts_are_the_whole(tmp_path: Path, parts: list[Path]) -> None:
    out = joined(parts, tmp_path / "out")
    graded(tmp_path / "in", tmp_path / "whole")
    assert scores(out) == scores(tmp_path / "whole")
    assert len(scores(out)) == len(STUDENTS)


def test_joining_again_changes_nothing(tmp_path: Path, parts: list[Path]) -> None:
    out = joined(parts, tmp_path / "out")
    before = (out / "journal.jsonl").read_bytes()
    joined(parts, out)
    assert (out / "journal.jsonl").read_bytes() == before


def test_evidence_comes_along(tmp_path: Path, parts: list[Path]) -> None:
    out = joined(parts, tmp_path / "out")
    for record in results(out).values():
        names = (record["grading"]["sha256"], LESSON, SEED)
        assert read_evidence(evidence_file(out, *names))["scenarios"]


def test_a_joined_batch_goes_on(tmp_path: Path, parts: list[Path]) -> None:
    out = joined(parts, tmp_path / "out")
    late = hand_in(tmp_path / "late", zoe=right())
    assert graded(late, out).results == len(STUDENTS) + 1


def test_of_two_results_the_later_one_counts(tmp_path: Path) -> None:
    early = graded(hand_in(tmp_path / "in", ann=wrong()), tmp_path / "early")
    assert early.passed == 0
    graded(hand_in(tmp_path / "in", ann=right()), tmp_path / "later")
    folders = [tmp_path / "later", tmp_path / "early"]
    out = joined(folders, tmp_path / "out")
    assert scores(out) == scores(tmp_path / "later")


def test_a_fault_of_the_lab_gives_way_to_a_result(tmp_path: Path) -> None:
    def fail(submission: object) -> None:
        raise ValueError

    folder = hand_in(tmp_path / "in", ann=right())
    graded(folder, tmp_path / "good")
    graded(folder, tmp_path / "bad", ForkedGrounds(fail))
    out = joined([tmp_path / "bad", tmp_path / "good"], tmp_path / "out")
    assert results(out)["ann"]["status"] == "graded"


def test_parts_of_different_seeds_are_not_joined(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", **STUDENTS)
    unlike = [part(folder, tmp_path / f"p{n}", Shard(n, 2), seed=n) for n in (1, 2)]
    with pytest.raises(LabError, match="graded with seed 2, the others with 1"):
        joined(unlike, tmp_path / "out")


def test_parts_of_different_checkers_are_not_joined(
    lab_copy: Path, tmp_path: Path
) -> None:
    folder = hand_in(tmp_path / "in", **STUDENTS)
    unlike = [part(folder, tmp_path / "p1", Shard(1, 2))]
    with open(lab_copy / "checkers" / f"{LESSON}.py", "a", encoding="utf-8") as file:
        file.write("# corrected\n")
    unlike.append(part(folder, tmp_path / "p2", Shard(2, 2)))
    with pytest.raises(LabError, match=f"another checker of {LESSON}"):
        joined(unlike, tmp_path / "out")


def test_a_folder_is_not_joined_into_itself(tmp_path: Path, parts: list[Path]) -> None:
    with pytest.raises(LabError, match="give --out another one"):
        joined(parts, parts[0])


def test_the_commands_grade_a_part_and_join(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", **STUDENTS)
    outs = [tmp_path / "p1", tmp_path / "p2"]
    for number, out in enumerate(outs, 1):
        how = ("--lessons", LESSON, "--seed", SEED, "--allow-weak-isolation")
        words = labkit("grade", folder, "--out", out, "--shard", f"{number}/2", *how)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
    words = labkit("merge", *outs, "--out", tmp_path / "out")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "6 results, all checks passed in 3" in done.stderr
    assert len(scores(tmp_path / "out")) == len(STUDENTS)
