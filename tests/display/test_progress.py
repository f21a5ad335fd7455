"""The bar on a terminal, and the lines for a program everywhere else."""

import os
import pty
import subprocess
from pathlib import Path

from labkit.display.progress import result_line
from tests.grading.batches import LESSON, hand_in, labkit, right

RECORD = {"lesson": "lesson_x", "status": "graded", "score": 3, "max_score": 4}


def test_a_result_is_one_line_of_five_fields() -> None:
    line = result_line({"submission": "ann", **RECORD})
    assert line == "ann\tlesson_x\tgraded\t3\t4"


def test_a_name_cannot_add_a_field_a_line_or_a_colour() -> None:
    line = result_line({"submission": "a\tb\nc\x1b[31m", **RECORD})
    assert line.split("\t") == ["a b c\\x1b[31m", "lesson_x", "graded", "3", "4"]
    assert "\x1b" not in line
    assert "\n" not in line


def test_on_a_terminal_a_bar_shows_and_no_lines(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "in", ann=right(0), bob=right(1))
    ours, theirs = pty.openpty()
    how = ("--lessons", LESSON, "--seed", 7, "--allow-weak-isolation")
    words = labkit("grade", folder, "--out", tmp_path / "out", *how)
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    grader = subprocess.Popen(
        words, stdout=theirs, stderr=theirs, stdin=theirs, env=environment
    )
    os.close(theirs)
    shown = _all(ours)
    assert grader.wait() == 0
    assert "grading" in shown
    assert "2/2" in shown or "1/2" in shown
    assert "\tgraded\t" not in shown
    assert "2 results, all checks passed in 2" in shown


def _all(terminal: int) -> str:
    """Everything written to a terminal until nobody has it open any more."""
    data = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(terminal)
    return data.decode()
