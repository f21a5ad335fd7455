"""Every part of lessons 1 to 8, as the solved notebooks leave them."""

import contextlib
import io
from pathlib import Path

import pytest

from labkit.assembly.folder import assemble
from labkit.assembly.saved import save
from labkit.assembly.written import Written, written
from labkit.authoring.build import paths, sources
from labkit.checking.check import load_checker
from labkit.checking.loading import load
from labkit.checking.submission import read_submission
from labkit.silence import silent


@pytest.fixture(scope="session")
def solved() -> dict[str, Written]:
    """Each part as its solved notebook has it."""
    found = {}
    for source in sources():
        if source.stem.startswith("lesson_"):
            submission = read_submission(paths(source)["solved"]).to_json()
            with silent(), contextlib.redirect_stdout(io.StringIO()):
                names = load(submission, []).names
            parts = load_checker(source.stem).parts
            found |= {part: written(names, part) for part in parts}
    return found


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A learner's folder."""
    (tmp_path / "work" / ".labkit").mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def whole(solved: dict[str, Written], work: Path) -> Path:
    """A folder with everything that lessons 1 to 8 ask for, assembled."""
    for part in solved.values():
        save(part, work)
    assemble(work, work / "my_agent")
    return work / "my_agent"
