"""Each odd submission gets the verdict it must get, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.checking.check import Checker, load_checker
from labkit.checking.judge import judge
from labkit.checking.place import Caps
from labkit.checking.process import Spawned
from labkit.checking.report import Report
from labkit.checking.submission import submission_from
from labkit.errors import LabError
from labkit.grading.handed_in import HandedIn, collect
from labkit.lab import lab_folder
from labkit.redaction import PUT_INSTEAD, holds_key, redacted
from tests.submissions.odd import KEY, ODD, Odd
from tests.submissions.written import GOOD, notebook, write

CAPS = Caps(seconds=1.5, loading_seconds=4)
PATIENT = Caps(seconds=30)  # memory takes its time to fill on a busy machine


@pytest.fixture(scope="module")
def lesson_3() -> Checker:
    return load_checker("lesson_03_loop")


def verdict(odd: Odd, checker: Checker) -> tuple[str, str, Report | None]:
    """What came of it, and all that is said about it."""
    try:
        submission = submission_from(odd.name, odd.content)
    except LabError as error:
        return "not_gradable", str(error), None
    caps = PATIENT if odd.outcome == "memory" else CAPS
    report = judge(checker, Spawned(submission, checker.parts, caps), submission.name)
    said = json.dumps(report.to_json(), ensure_ascii=False)
    if report.status == "not_gradable":
        return "not_gradable", said, report
    outcomes = [check.outcome for check in report.checks]
    first = next((o for o in outcomes if o != "passed"), "passed")
    return first, said, report


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_an_odd_submission_gets_its_verdict(odd: Odd, lesson_3: Checker) -> None:
    outcome, said, report = verdict(odd, lesson_3)
    assert (outcome, odd.note in said) == (odd.outcome, True), said
    if report and outcome not in ("passed", "not_gradable"):
        assert not any(check.passed for check in report.checks)


def odd(name: str) -> Odd:
    return next(odd for odd in ODD if odd.name == name)


def test_the_untouched_starter_gets_no_point_and_no_traceback(
    lesson_3: Checker,
) -> None:
    _, said, report = verdict(odd("starter.ipynb"), lesson_3)
    assert report is not None
    assert {check.outcome for check in report.checks} == {"not_started", "skipped"}
    assert (report.score, "Traceback" in said) == (0, False)


@pytest.mark.parametrize("fault", ["def broken(:", "import pandas_of_ours"])
def test_a_fault_in_one_lessons_cell_leaves_the_other_lessons_alone(
    fault: str, lesson_3: Checker
) -> None:
    lesson_2 = load_checker("lesson_02_dispatcher")
    right = next((lab_folder() / "checkers/right" / lesson_2.lesson).glob("ref*"))
    broken = f"{fault}\nclass MyAgent:\n    pass"
    data = notebook(right.read_text(encoding="utf-8"), broken)
    outcome, said, _ = verdict(Odd("P4", "both.ipynb", data, ""), lesson_3)
    assert (outcome, "cell 2, line 1" in said) == ("error", True)
    outcome, said, _ = verdict(Odd("P4", "both.ipynb", data, ""), lesson_2)
    assert (outcome, "cell 2, line 1" in said) == ("passed", True)


def test_what_is_drawn_by_lot_changes_no_verdict(lesson_3: Checker) -> None:
    reports = [verdict(odd("draws lots.py"), lesson_3)[2] for _ in range(2)]
    outcomes = [[c.outcome for c in report.checks] for report in reports if report]
    assert outcomes == [["passed"] * len(lesson_3.checks)] * 2


def test_a_key_in_code_and_output_is_in_no_report_once_it_is_redacted(
    lesson_3: Checker,
) -> None:
    handed_in = odd("key.ipynb")
    _, said, report = verdict(handed_in, lesson_3)
    assert report is not None
    assert KEY in said  # or there would be nothing to redact
    assert holds_key(handed_in.content.decode())
    for text in (said, report.printed):
        assert KEY not in redacted(text)
    assert PUT_INSTEAD in redacted(said)


def test_a_results_file_of_their_own_and_printed_verdicts_count_for_nothing(
    lesson_3: Checker,
) -> None:
    _, _, report = verdict(odd("forges.py"), lesson_3)
    assert report is not None
    assert "12 passed" in report.printed
    assert report.score == 0


def test_an_old_windows_code_page_neither_stops_reading_nor_showing(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, "Übung.py", odd("emoji.py").content)
    old = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-m", "labkit.cli", "check", "lesson_03_loop", str(file)],
        env=os.environ | old,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"12 of 12 points" in done.stdout


def test_nothing_beside_a_submission_is_imported(
    tmp_path: Path, lesson_3: Checker
) -> None:
    for name in ("openai", "labkit", "json", "conftest", "sitecustomize", "tools"):
        write(tmp_path, f"eve/{name}.py", "raise SystemExit('imported')")
    write(tmp_path, "eve/answer.ipynb", notebook(GOOD, "import json, openai"))
    write(tmp_path, "eve/asks.py", f"import tools\n{GOOD}")
    found = {h.submission: h for h in collect([tmp_path])}
    right, asks = found["eve/answer"], found["eve/asks"]
    assert verdict(_as_odd(right), lesson_3)[0] == "passed"
    outcome, said, _ = verdict(_as_odd(asks), lesson_3)
    assert (outcome, "No module named 'tools'" in said) == ("error", True)


def _as_odd(handed_in: HandedIn) -> Odd:
    return Odd("P9", handed_in.path, handed_in.read(), "")
