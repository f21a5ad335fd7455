"""`labkit start`: a learner's files are copied once and never written over."""

import sys
from pathlib import Path

import pytest

from labkit import start
from labkit.errors import LabError
from labkit.lab import lab_folder

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
