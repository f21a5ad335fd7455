"""`labkit start` and `reset`: a learner's files are never written over."""

import json
import re
import sys
from pathlib import Path

import pytest

from labkit import start
from labkit.assembly.saved import read_saved, save
from labkit.assembly.written import Written
from labkit.checking.report import CheckResult, Report
from labkit.errors import LabError
from labkit.lab import lab_folder
from labkit.progress import keep_progress

NAME = "00_start_here.ipynb"


def test_every_notebook_is_copied_as_it_is(tmp_path: Path) -> None:
    list(start.copy_notebooks(tmp_path / "work"))
    for path in (lab_folder() / "notebooks").glob("*.ipynb"):
        assert (tmp_path / "work" / path.name).read_bytes() == path.read_bytes()


def test_a_second_start_says_and_changes_nothing(tmp_path: Path) -> None:
    list(start.copy_notebooks(tmp_path))
    (tmp_path / NAME).write_text("my own work")
    assert list(start.copy_notebooks(tmp_path)) == []
    assert (tmp_path / NAME).read_text() == "my own work"


def test_a_newer_version_is_put_beside_the_learners_file(
    tmp_path: Path, lab_copy: Path
) -> None:
    work = tmp_path / "work"
    list(start.copy_notebooks(work))
    (work / NAME).write_text("my own work")
    (lab_copy / "notebooks" / NAME).write_text("a newer version")
    [said] = start.copy_notebooks(work)
    assert "yours is kept" in said
    assert (work / NAME).read_text() == "my own work"
    beside = work / "00_start_here (new version 1).ipynb"
    assert beside.read_text() == "a newer version"
    assert list(start.copy_notebooks(work)) == []


def test_a_file_that_was_there_before_the_lab_is_kept(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("somebody else's")
    list(start.copy_notebooks(tmp_path))
    assert (tmp_path / NAME).read_text() == "somebody else's"


def test_a_damaged_record_costs_nothing(tmp_path: Path) -> None:
    list(start.copy_notebooks(tmp_path))
    (tmp_path / ".labkit" / "notebooks.json").write_text("{")
    assert list(start.copy_notebooks(tmp_path)) == []


def test_without_jupyterlab_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LabError, match=r"labkit\[lab\]"):
        start.open_lab(tmp_path, browser=False)


class TestReset:
    """A fresh notebook, and the learner's own kept beside it."""

    LESSON = "lesson_03_loop"

    @pytest.fixture
    def work(self, tmp_path: Path) -> Path:
        list(start.copy_notebooks(tmp_path / "work"))
        return tmp_path / "work"

    @pytest.fixture
    def mine(self, work: Path) -> Path:
        path = work / f"{self.LESSON}.ipynb"
        path.write_text("my own work")
        return path

    def fresh(self) -> bytes:
        return (lab_folder() / "notebooks" / f"{self.LESSON}.ipynb").read_bytes()

    @pytest.mark.parametrize("name", [LESSON, f"{LESSON}.ipynb", "3", "03"])
    def test_the_old_notebook_is_kept_and_both_are_named(
        self, work: Path, mine: Path, name: str
    ) -> None:
        said = list(start.reset(name, work))
        kept = work / f"{self.LESSON} (kept 1).ipynb"
        assert kept.read_text() == "my own work"
        assert mine.read_bytes() == self.fresh()
        assert said[0] == f"yours is kept as {kept}"
        assert said[1].startswith(f"{mine} is fresh")
        assert list(start.copy_notebooks(work)) == []

    def test_a_second_reset_takes_the_next_free_name(
        self, work: Path, mine: Path
    ) -> None:
        for text in ("first", "second"):
            mine.write_text(text)
            list(start.reset(self.LESSON, work))
        kept = [work / f"{self.LESSON} (kept {n}).ipynb" for n in (1, 2)]
        assert [path.read_text() for path in kept] == ["first", "second"]

    def test_a_fresh_notebook_stays(self, work: Path, mine: Path) -> None:
        list(start.reset(self.LESSON, work))
        [said] = start.reset(self.LESSON, work)
        assert said.endswith("is fresh already; nothing is changed")
        assert len(list(work.glob("*kept*"))) == 1

    def test_a_deleted_notebook_comes_back(self, work: Path, mine: Path) -> None:
        mine.unlink()
        [said] = start.reset(self.LESSON, work)
        assert said.startswith(f"{mine} is fresh")
        assert mine.read_bytes() == self.fresh()

    def test_what_passed_begins_again_and_parts_stay(
        self, work: Path, mine: Path
    ) -> None:
        save(Written("step", methods={"step": "def step(self, result): ..."}), work)
        result = CheckResult("a_check", "step", "", "passed", 1)
        keep_progress(Report(self.LESSON, "me", 0, checks=[result]), work)
        *_, said = start.reset(self.LESSON, work)
        assert said == "labkit assemble goes on with your step until it passes anew"
        assert list(read_saved(work)) == ["step"]
        noted = work / ".labkit" / "progress" / f"{self.LESSON}.json"
        kept = json.loads(noted.read_text())
        assert (kept["now"], kept["ever"]) == ([], ["a_check"])

    def test_where_it_cannot_write_nothing_changes(
        self, work: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError("no space left on device")

        monkeypatch.setattr(start, "set_aside", full)
        with pytest.raises(OSError, match="no space left"):
            list(start.reset(self.LESSON, work))
        assert mine.read_text() == "my own work"
        assert not list(work.glob("*.unfinished"))

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("lesson_3_loop", "did you mean lesson_03_loop?"),
            ("77", "There is no lesson '77'"),
            ("../secret", "There is no lesson '../secret'"),
        ],
    )
    def test_an_unknown_lesson_is_told(self, work: Path, name: str, words: str) -> None:
        with pytest.raises(LabError, match=re.escape(words)):
            list(start.reset(name, work))

    def test_a_folder_without_notebooks_is_left_alone(self, tmp_path: Path) -> None:
        with pytest.raises(LabError, match="holds no notebooks"):
            list(start.reset(self.LESSON, tmp_path))
        assert list(tmp_path.iterdir()) == []
