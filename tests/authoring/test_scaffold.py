"""`labkit dev new`: what it lays out is a lesson that can be built and verified."""

from pathlib import Path

import pytest

from labkit.authoring import verify
from labkit.authoring.build import built
from labkit.authoring.inventory import stray_files
from labkit.authoring.scaffold import scaffold
from labkit.errors import LabError
from labkit.lab import lessons


def test_a_new_lesson_is_found_built_and_verified(lab_copy: Path) -> None:
    written = list(scaffold("lesson_97_new", "The new one"))
    assert "lesson_97_new" in lessons()
    assert list(verify.verify("lesson_97_new")) == []
    assert list(stray_files()) == []
    [source] = [path for path in written if path.parent.name == "source"]
    assert "The new one" in built(source, "student")


def test_a_lesson_that_is_there_is_left_as_it_is(lab_copy: Path) -> None:
    checker = lab_copy / "checkers" / "lesson_03_loop.py"
    before = checker.read_bytes()
    with pytest.raises(LabError, match="nothing was written"):
        list(scaffold("lesson_03_loop", "Again"))
    assert checker.read_bytes() == before


@pytest.mark.parametrize(
    "name", ["loop", "lesson_3_loop", "lesson_03_", "../lesson_03_x"]
)
def test_a_name_that_no_lesson_has_is_refused(lab_copy: Path, name: str) -> None:
    with pytest.raises(LabError, match="no name for a lesson"):
        list(scaffold(name, "Title"))
