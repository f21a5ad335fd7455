"""The lessons in a real JupyterLab: starter, wrong answer, solved, hint, re-opened."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from labkit.assembly.saved import read_saved
from labkit.authoring.build import built, exercises, sources
from labkit.authoring.verify import answers, judge_file
from labkit.checking.check import load_checker
from labkit.display.report import check_lines
from tests.browser.conftest import Server
from tests.browser.notebook import Notebook

# One JupyterLab and one browser at a time; two cores have enough to do with them.
pytestmark = pytest.mark.xdist_group("browser")

LESSONS = [path for path in sources() if path.stem.startswith("lesson_")]


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def opened(chromium: Any, server: Server, source: Path) -> Iterator[Notebook]:
    notebook = Notebook(chromium, server, f"{source.stem}.ipynb")
    yield notebook
    notebook.close()


def test_a_lesson_is_worked_from_starter_to_solved(
    opened: Notebook,
    server: Server,
    source: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    opened.run_all()
    assert "not started" in opened.outputs("lab.check(")
    assert "Hint 1 of" in opened.outputs("lab.hint(")

    wrong, red = wrong_answer(source.stem)
    opened.write(exercise_markers(source)[-1], wrong)
    opened.run_all()
    for line in red:
        assert line in opened.outputs("lab.check(")

    for marker, text in zip(exercise_markers(source), solved_cells(source)):
        opened.write(marker, text)
    opened.run_all()
    assert "✗" not in opened.outputs("lab.check(").splitlines()[-1]
    assert all_passed(opened.outputs("lab.check("))
    say_how_fast(opened, source.stem, capsys)
    assert passed_parts(source) <= kept_parts(server)

    opened.save()
    opened.open()
    assert all_passed(opened.outputs("lab.check("))
    assert opened.page.locator(".labkit-report").count() > 0
    assert opened.errors == []


def test_the_first_notebook_runs_in_the_dark(chromium: Any, server: Server) -> None:
    notebook = Notebook(chromium, server, "00_start_here.ipynb", dark=True)
    notebook.run_all()
    assert "answered: 2 steps" in notebook.outputs("be_the_model")
    assert notebook.errors == []
    notebook.close()


def wrong_answer(lesson: str) -> tuple[str, list[str]]:
    """A known wrong answer that fails a check, and the lines it has to show."""
    checker = load_checker(lesson)
    for path in answers(lesson, "wrong"):
        report = judge_file(checker, path)
        for check in report.checks:
            if check.outcome == "failed":
                return path.read_text(encoding="utf-8"), [
                    line.strip() for line in check_lines(check)[:1]
                ]
    raise LookupError(lesson)


def passed_parts(source: Path) -> set[str]:
    """The parts of a lesson, all of which have passed once it is solved."""
    return {found.part for found in exercises(source)}


def kept_parts(server: Server) -> set[str]:
    """What `labkit assemble` would find in the learner's folder."""
    return set(read_saved(server.work))


def exercise_markers(source: Path) -> list[str]:
    """For each exercise cell a text that stands in no other cell's input."""
    names = []
    for found in exercises(source):
        head = f"{found.part} = {{" if found.blanks else f"def {found.part}("
        names.append("class MyAgent(Agent):" if found.cut.is_method else head)
    return list(dict.fromkeys(names))


def solved_cells(source: Path) -> list[str]:
    """The exercise cells as the solved notebook has them."""
    cells = ["".join(c["source"]) for c in json.loads(built(source, "solved"))["cells"]]
    return [
        next(cell for cell in cells if marker in cell)
        for marker in exercise_markers(source)
    ]


def all_passed(text: str) -> bool:
    """Whether the last report on the page says that every check passed."""
    *_, last = (line for line in text.splitlines() if " checks passed" in line)
    passed, of = last.split(": ")[1].split(" checks")[0].split(" of ")
    return passed == of


def say_how_fast(
    notebook: Notebook, lesson: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Print how long a check's answer takes to stand on the page, the kernel warm."""
    started = time.perf_counter()
    notebook.run_again("lab.check(")
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n{lesson}: a check's answer on the page after {seconds:.2f} s")
