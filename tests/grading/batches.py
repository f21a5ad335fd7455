"""Small batches on real grounds of one process each, and files for them."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from labkit.checking.check import Checker, load_checker
from labkit.checking.loading import asked_names, load
from labkit.checking.place import Caps, Place
from labkit.checking.process import Forked
from labkit.checking.submission import Submission
from labkit.grading.batch import grade_all
from labkit.grading.count import Count
from labkit.grading.handed_in import collect
from labkit.grading.journal import Journal, write_results
from labkit.grading.setup import begin
from labkit.lab import lab_folder

LESSON = "lesson_02_dispatcher"
SEED = 7
ANSWERS = lab_folder() / "checkers"


class ForkedGrounds:
    """Forks of this process, one at a time: quick, and no jail."""

    tier = "weak"

    def __init__(self, before: Callable[[Submission], object] | None = None) -> None:
        self.before = before
        self.placed: list[str] = []

    def place(self, submission: Submission, parts: list[str]) -> Place:
        code = submission.cells[0].source
        self.placed.append(code)
        if self.before:
            self.before(submission)
        sent, asked = submission.to_json(), asked_names(parts)
        caps = Caps(seconds=4, loading_seconds=4)  # enough on a busy machine
        return Forked(lambda: load(sent, asked), parts, caps)

    def close(self) -> None:
        pass


def right(number: int = 0) -> str:
    """One of the right answers of the lesson."""
    return _answers("right")[number].read_text(encoding="utf-8")


def wrong(number: int = 0) -> str:
    """One of the wrong answers of the lesson."""
    return _answers("wrong")[number].read_text(encoding="utf-8")


def _answers(kind: str) -> list[Path]:
    return sorted((ANSWERS / kind / LESSON).glob("*.py"))


def hand_in(folder: Path, **students: str) -> Path:
    """A folder of folders, one per student, with what each wrote."""
    for student, code in students.items():
        file = folder / student / f"{LESSON}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, encoding="utf-8")
    return folder


def graded(
    folders: Iterable[Path] | Path,
    out: Path,
    grounds: ForkedGrounds | None = None,
    checker: Checker | None = None,
    show: Callable[[dict[str, Any]], object] = lambda record: None,
) -> Count:
    """Grade folders into another, one submission at a time."""
    paths = [folders] if isinstance(folders, Path) else list(folders)
    checkers = {LESSON: checker or load_checker(LESSON)}
    journal = Journal(out)
    try:
        seed = begin(journal, checkers, None if journal.batch else SEED)
        given = (collect(paths), journal, checkers, seed, grounds or ForkedGrounds())
        return grade_all(*given, 1, lambda made: show)
    finally:
        journal.close()


def results(out: Path) -> dict[str, dict[str, Any]]:
    """The results in a folder, by submission."""
    journal = Journal(out)
    try:
        write_results(journal)
        found = {record["submission"]: record for record in journal.records()}
        assert len(found) == len(journal.results)
        return found
    finally:
        journal.close()


def scores(out: Path) -> dict[str, tuple[int, int]]:
    """Score and highest score, by submission."""
    return {
        name: (record["score"], record["max_score"])
        for name, record in results(out).items()
    }


def labkit(*words: object) -> list[str]:
    """The words of a command, to be run in a process of its own."""
    return [sys.executable, "-m", "labkit.cli", *map(str, words)]
