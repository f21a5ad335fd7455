"""What the README shows is what one gets."""

import json
import re
from pathlib import Path

from labkit.authoring.verify import judge_file
from labkit.checking.check import load_checker
from labkit.display.evals import eval_table
from labkit.display.report import check_lines
from labkit.evals.cases import read_cases
from labkit.evals.outputs import to_json
from labkit.evals.trial import try_agent
from labkit.lab import lab_folder
from labkit.replayed_run import run_replayed
from labkit.shop import cases
from tests.test_cli import NO_SUMS, agent_file

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SHIPPING = "What would it cost to ship order NW-1041 to its destination?"


def test_the_run_it_shows_is_the_run_one_gets() -> None:
    assert "\n".join(run_replayed(SHIPPING).lines()) in README


def test_the_failure_it_shows_is_the_failure_one_gets() -> None:
    wrong = lab_folder() / "checkers" / "wrong" / "lesson_03_loop" / "no_id.py"
    report = judge_file(load_checker("lesson_03_loop"), wrong)
    [failed] = [check for check in report.checks if check.outcome == "failed"]
    assert "\n".join(check_lines(failed)) in README


def test_the_evals_it_shows_are_the_evals_one_gets(tmp_path: Path) -> None:
    trial = try_agent(agent_file(tmp_path, NO_SUMS), cases(), threshold=0.8)
    shown = eval_table(cases(), to_json(trial), 0.8).text.partition("\nstopped by")[0]
    assert shown in README


def test_the_case_it_shows_is_one(tmp_path: Path) -> None:
    [shown] = re.findall(r'^\[\{"id".*?\}\]$', README, re.MULTILINE | re.DOTALL)
    path = tmp_path / "cases.json"
    path.write_text(shown)
    [case] = read_cases(path)
    assert case.keys() == json.loads(shown)[0].keys()
