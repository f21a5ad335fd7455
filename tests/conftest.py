"""A copy of the lab's data that a test may change."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit import lab


@pytest.fixture
def lab_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with checkers, recordings, notebooks and README; labkit looks there."""
    origin = lab.lab_folder()
    for name in ("checkers", "recordings", "notebooks"):
        shutil.copytree(origin / name, tmp_path / name)
    shutil.copy(origin / "README.md", tmp_path)
    lab.lab_folder.cache_clear()
    monkeypatch.setattr(lab, "__file__", str(tmp_path / "labkit" / "lab.py"))
    yield tmp_path
    monkeypatch.undo()
    lab.lab_folder.cache_clear()
