"""How fast a class is graded, confined and with a synced journal; `make bench`.

Printed, not judged: the figures depend on the machine and on what else it does.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.classes import LESSON, MIXED, write_class

pytestmark = pytest.mark.benchmark

# Grades, and says on its last line how many kilobytes that took at most.
GRADE = """
import resource
from labkit.cli import app
try:
    app()
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_good_submissions_of_lesson_3(tmp_path: Path, capsys: Any) -> None:
    rate, _ = _graded(tmp_path, 600, {}, "--slots", "6")
    _say(capsys, "good submissions", f"{rate:,.0f} a minute (goal 1,500)")


def test_a_class_with_loops_sleepers_and_errors(tmp_path: Path, capsys: Any) -> None:
    rate, _ = _graded(tmp_path, 1000, MIXED, "--slots", "16")
    name = "3 % busy, 1 % asleep, 20 % runaway, 8 % errors"
    _say(capsys, name, f"{rate:,.0f} a minute (goal 800)")


def test_memory_stays_flat(tmp_path: Path, capsys: Any) -> None:
    _, small = _graded(tmp_path / "small", 200, {})
    _, large = _graded(tmp_path / "large", 1000, {})
    text = f"{small} MB for 200 submissions, {large} MB for 1,000"
    _say(capsys, "most memory of the grader", text)


def _graded(
    folder: Path, size: int, shares: dict[str, float], *words: str
) -> tuple[float, int]:
    """How many a minute, and how many megabytes the grader took at most."""
    write_class(folder / "in", size, shares)
    how = ["--out", str(folder / "out"), "--lessons", LESSON, "--seed", "7", *words]
    command = [sys.executable, "-c", GRADE, "grade", str(folder / "in"), *how]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *_, last = done.stdout.splitlines()
    assert len(done.stdout.splitlines()) == size + 1
    [took] = [line for line in done.stderr.splitlines() if "a minute" in line]
    rate = float(took.split(", ")[-1].split()[0].replace(",", ""))
    return rate, int(last) // 1024


def _say(capsys: Any, name: str, figure: str) -> None:
    with capsys.disabled():
        print(f"\n{name}: {figure}")
