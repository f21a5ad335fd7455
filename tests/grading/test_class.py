"""A class of 300, one in twenty of them odd, whose grader is killed in the middle."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import psutil  # ipykernel brings it
import pytest

from labkit.lab import lab_folder
from tests.grading.batches import labkit, results
from tests.submissions.odd import ODD

LESSON = "lesson_03_loop"
SIZE = 300
EVERY = 20


def write_class(folder: Path) -> dict[str, str]:
    """300 students, and of each what must come of the submission."""
    right = sorted((lab_folder() / "checkers" / "right" / LESSON).glob("*.py"))
    expected = {}
    for number in range(SIZE):
        student = f"student {number:03}"
        place = folder / student
        place.mkdir(parents=True)
        if number % EVERY:
            code = right[number % len(right)].read_text(encoding="utf-8")
            (place / "answer.py").write_text(f"{code}\n# {number}\n", encoding="utf-8")
            expected[student] = "passed"
        else:
            odd = ODD[(number // EVERY) * 7 % len(ODD)]
            (place / odd.name).write_bytes(odd.content)
            expected[student] = odd.outcome
    return expected


def outcome(record: dict[str, Any]) -> str:
    """What came of a submission, in the words of the odd ones."""
    if record["status"] != "graded":
        return str(record["status"])
    outcomes = [check["outcome"] for check in record["checks"]]
    return next((o for o in outcomes if o != "passed"), "passed")


@pytest.mark.xdist_group("class")
def test_a_class_is_complete_after_a_kill(tmp_path: Path) -> None:
    expected, out = write_class(tmp_path / "in"), tmp_path / "out"
    how = ("--lessons", LESSON, "--seed", 5, "--allow-weak-isolation")
    words = labkit("grade", tmp_path / "in", "--out", out, *how)
    grader = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert grader.stdout is not None
    shown = [grader.stdout.readline().split("\t")[0] for _ in range(SIZE // 2)]
    started = psutil.Process(grader.pid).children(recursive=True)
    os.kill(grader.pid, signal.SIGKILL)
    grader.communicate()
    assert set(shown) <= set(results(out))
    left = psutil.wait_procs(started, timeout=10)[1]
    assert (bool(started), left) == (True, [])
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    again = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert not set(again) & set(shown)
    found = {name: outcome(record) for name, record in results(out).items()}
    assert found == expected
