"""What passed is noted in the learner's folder, and what is noted there is shown."""

import json
import multiprocessing
import re
from pathlib import Path
from typing import Any

import pytest

from labkit import Lesson
from labkit.checking.check import load_checker
from labkit.checking.report import CheckResult, Report
from labkit.display import face
from labkit.display.lesson_progress import bars
from labkit.progress import Passed, begin_again, keep_progress, progress
from tests.test_lesson import WHOLE, Starter

LESSON = "lesson_03_loop"
IDS = [check.id for check in load_checker(LESSON).checks]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work" / ".labkit").mkdir(parents=True)
    return tmp_path / "work"


def report(passed: list[str], judged: list[str] = IDS, seed: int = 0) -> Report:
    outcomes = {id: "passed" if id in passed else "failed" for id in judged}
    checks = [CheckResult(id, "step", "", outcomes[id], 1) for id in judged]
    return Report(LESSON, "me", seed, checks=checks)


def file(work: Path) -> Path:
    return work / ".labkit" / "progress" / f"{LESSON}.json"


def noted(work: Path) -> Passed:
    [found] = [one for one in progress(work) if one.lesson == LESSON]
    return found.passed


def test_what_passes_is_noted_and_counted(work: Path) -> None:
    assert keep_progress(report(IDS), work) == []
    [loop] = [one for one in progress(work) if one.lesson == LESSON]
    assert (loop.passing, loop.parts, loop.next_part) == (
        len(IDS),
        {"step": True},
        None,
    )


def test_a_check_that_fails_now_is_still_known_to_have_passed(work: Path) -> None:
    keep_progress(report(IDS), work)
    keep_progress(report(IDS[:2]), work)
    assert noted(work) == Passed(set(IDS[:2]), set(IDS))
    assert f"2 of {len(IDS)} checks, 0 of 1 part; {len(IDS) - 2} passed before" in (
        bars(progress(work)).text
    )


def test_checks_that_were_not_judged_stay_as_they_were(work: Path) -> None:
    keep_progress(report(IDS[:3]), work)
    keep_progress(report([], judged=IDS[2:]), work)
    assert noted(work).now == set(IDS[:2])


def test_the_labs_own_fault_takes_nothing_from_anybody(work: Path) -> None:
    keep_progress(report(IDS), work)
    spoilt = report(IDS)
    spoilt.checks[0].outcome = "broken"
    keep_progress(spoilt, work)
    assert noted(work).now == set(IDS)


def test_other_shops_and_files_without_the_names_are_not_counted(work: Path) -> None:
    keep_progress(report(IDS, seed=1), work)
    nothing = report([])
    nothing.status = "not_gradable"
    keep_progress(nothing, work)
    assert not file(work).exists()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        "7",
        '{"schema": 1}',
        '{"schema": 1, "lesson": "lesson_03_loop", "now": 1, "ever": []}',
        '{"schema": 1, "lesson": "lesson_03_loop", "now": [[]], "ever": []}',
        '{"schema": 1, "lesson": "another", "now": [], "ever": []}',
        '{"schema": 2, "lesson": "lesson_03_loop", "of": "a newer lab"}',
    ],
)
def test_what_cannot_be_read_counts_for_nothing_and_is_put_aside(
    work: Path, damage: str
) -> None:
    keep_progress(report(IDS), work)
    file(work).write_text(damage)
    assert noted(work) == Passed(is_readable=False)
    assert "cannot be read" in bars(progress(work)).text
    assert keep_progress(report(IDS[:1]), work) == []
    assert noted(work) == Passed({IDS[0]}, {IDS[0]})
    aside = file(work).with_name(f"{LESSON} (unread 1).json")
    assert aside.read_text() == damage


def test_bytes_that_are_no_text_are_put_aside_too(work: Path) -> None:
    keep_progress(report(IDS), work)
    file(work).write_bytes(b"\xff\x00")
    assert keep_progress(report(IDS), work) == []
    assert noted(work).now == set(IDS)


def test_checks_there_are_no_longer_are_not_counted(work: Path) -> None:
    keep_progress(report(["of_an_older_lab"], judged=["of_an_older_lab"]), work)
    [loop] = [one for one in progress(work) if one.lesson == LESSON]
    assert loop.passing == 0


def test_a_folder_that_cannot_be_written_is_one_sentence(work: Path) -> None:
    file(work).parent.write_text("in the way")
    [told] = keep_progress(report(IDS), work)
    assert told.startswith("your progress could not be kept (")
    assert not noted(work).is_readable


def test_two_notebooks_that_note_at_once_leave_a_whole_file(work: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(2) as pool:
        told = pool.map(note_often, [work, work])
    assert told == [[], []]
    assert noted(work) == Passed(set(IDS), set(IDS))
    assert [path.name for path in file(work).parent.iterdir()] == [f"{LESSON}.json"]


def note_often(work: Path) -> list[str]:
    return [told for _ in range(100) for told in keep_progress(report(IDS), work)]


def test_beginning_again_keeps_what_ever_passed(work: Path) -> None:
    keep_progress(report(IDS), work)
    begin_again(LESSON, work)
    assert noted(work) == Passed(set(), set(IDS))


def test_the_text_of_a_beginner_is_one_sentence(work: Path) -> None:
    assert bars(progress(work)).text == (
        "No check has passed yet; begin with lesson_01_raw_tool_call."
    )


def test_after_everything_has_passed_it_says_so(work: Path) -> None:
    lessons = progress(None)
    for one in lessons:
        one.passed = Passed({check.id for check in one.checks})
    assert "Everything passes" in bars(lessons).text


def test_the_bars_hold_a_piece_for_each_check_and_words_for_each(work: Path) -> None:
    keep_progress(report(IDS[:1]), work)
    html = bars(progress(work)).html
    assert html.count("<span ") == sum(len(one.checks) for one in progress(None))
    assert html.count('<span title="passes: ') == html.count("■") == 1
    assert "color" not in html.replace("color: inherit", "")


class TestInANotebook:
    """What the notebook's own `lab` does."""

    @pytest.fixture
    def lab(self, work: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        monkeypatch.chdir(work)
        monkeypatch.delenv("LABKIT_DISPLAY", raising=False)
        monkeypatch.setattr(face, "in_notebook", lambda: True)
        monkeypatch.setattr("labkit.assembly.saved.keep_passed", lambda *_: [])
        return Lesson(LESSON)

    def test_a_check_is_noted_and_seen_in_the_bar(self, lab: Any) -> None:
        lab.check(WHOLE)
        assert f"{len(IDS)} of {len(IDS)} checks, 1 of 1 part" in lab.progress().text
        lab.check(Starter)
        assert f"{len(IDS)} passed before" in lab.progress().text

    def test_nbval_sees_a_beginner_whatever_has_passed(
        self, lab: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lab.check(WHOLE)
        monkeypatch.setenv("LABKIT_DISPLAY", "text")
        assert re.fullmatch("No check has passed yet; .*", lab.progress().text)

    def test_a_known_wrong_answer_is_not_noted(self, lab: Any, work: Path) -> None:
        lab.wrong("no_id")
        assert not file(work).exists()


def test_elsewhere_than_in_a_notebook_nothing_is_noted(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work)
    Lesson(LESSON).check(WHOLE)
    assert not file(work).exists()


def test_the_file_is_as_it_is_described(work: Path) -> None:
    keep_progress(report(IDS[:1]), work)
    kept = json.loads(file(work).read_text())
    assert kept == {"schema": 1, "lesson": LESSON, "now": IDS[:1], "ever": IDS[:1]}
