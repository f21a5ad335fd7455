"""Loading a checker: its checks in order, or where it is damaged."""

from pathlib import Path

import pytest

from labkit.checking.check import load_checker, read_checker
from labkit.errors import LabError

GOOD = '''
from labkit.checking import check, run
HINTS = {"step": ["What comes first?"]}

@check(run("at_once", part="step"), points=2)
def second_in_the_alphabet(seen):
    """it   goes on"""

@check(run("at_once", part="step"), after=second_in_the_alphabet)
def first_in_the_alphabet(seen):
    """it stops"""
'''


def written(folder: Path, text: str) -> Path:
    path = folder / "lesson_99_x.py"
    path.write_text(text)
    return path


def test_checks_keep_the_order_of_the_file(tmp_path: Path) -> None:
    checker = read_checker(written(tmp_path, GOOD))
    assert checker.lesson == "lesson_99_x"
    assert checker.parts == ["step"]
    assert [(c.id, c.claim, c.points) for c in checker.checks] == [
        ("second_in_the_alphabet", "it goes on", 2),
        ("first_in_the_alphabet", "it stops", 1),
    ]
    assert checker.checks[1].after == (checker.checks[0],)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ny = x +\n", "line 2: the checker cannot be loaded .SyntaxError"),
        ("x = 1\n1 / 0\n", "line 2: the checker cannot be loaded .ZeroDivision"),
        ("HINTS = {'step': ['?']}", "at least one check and HINTS"),
        (GOOD.replace("HINTS", "OTHER"), "at least one check and HINTS"),
    ],
)
def test_a_damaged_checker_is_named_with_its_line(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(LabError, match=words) as error:
        read_checker(written(tmp_path, text))
    assert "lesson_99_x.py" in str(error.value)


def test_an_unknown_lesson_is_told_with_the_nearest_one() -> None:
    with pytest.raises(LabError, match="did you mean lesson_03_loop"):
        load_checker("lesson_3_loop")
