"""What the README shows is what one gets."""

from pathlib import Path

from labkit.authoring.verify import judge_file
from labkit.checking.check import load_checker
from labkit.display.report import check_lines
from labkit.lab import lab_folder
from labkit.replayed_run import run_replayed

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SHIPPING = "What would it cost to ship order NW-1041 to its destination?"


def test_the_run_it_shows_is_the_run_one_gets() -> None:
    assert "\n".join(run_replayed(SHIPPING).lines()) in README


def test_the_failure_it_shows_is_the_failure_one_gets() -> None:
    wrong = lab_folder() / "checkers" / "wrong" / "lesson_03_loop" / "no_id.py"
    report = judge_file(load_checker("lesson_03_loop"), wrong)
    [failed] = [check for check in report.checks if check.outcome == "failed"]
    assert "\n".join(check_lines(failed)) in README
