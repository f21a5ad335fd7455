"""The lessons in a real JupyterLab: starter, wrong answer, solved, hint, re-opened.

In light and in dark, and with pictures of it all in `build/screenshots/`.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from labkit.assembly.saved import read_saved
from labkit.authoring.build import built, exercises, sources
from labkit.authoring.verify import answers, judge_file
from labkit.checking.check import load_checker
from labkit.progress import LessonProgress, progress
from tests.browser.conftest import Server
from tests.browser.looks import THEMES, in_theme
from tests.browser.notebook import Notebook

# One JupyterLab and one browser at a time; two cores have enough to do with them.
pytestmark = pytest.mark.xdist_group("browser")

MOST_BYTES = 1_000_000
MOST_SECONDS = 10  # that is one second on a machine with nothing else to do
# What else draws in some lessons, by its picture's name.
DRAWN = {
    "conversation": "lab.watch(",
    "meter": "lab.meter(",
    "chart": "lab.chart(",
    "survival": "lab.survive(",
    "evals": "lab.evaluate(",
}
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
    look = Look(opened, source.stem)
    opened.run_all(lambda: look.at("lab.play(", "approval"))
    assert "not started" in opened.outputs("lab.check(")
    assert "Hint 1 of" in opened.outputs("lab.hint(")
    look.at("lab.check(", "starter", "light")

    wrong, red = wrong_answer(source.stem)
    opened.write(exercise_markers(source)[-1], wrong)
    opened.run_all()
    for line in red:
        assert line in opened.outputs("lab.check(")
    card = opened.cell("lab.check(").last
    card.get_by_role("button", name="Next hint").click()
    card.locator(".labkit-hint").wait_for()
    look.at("lab.check(", "failed")

    for marker, text in zip(exercise_markers(source), solved_cells(source)):
        opened.write(marker, text)
    opened.run_all()
    assert all_passed(opened.outputs("lab.check("))
    assert seconds_to_a_card(opened, source.stem, capsys) < MOST_SECONDS
    assert passed_parts(source) <= kept_parts(server)
    assert lesson_progress(source, server).next_part is None

    part = exercises(source)[-1].part
    opened.write("lab.hint(", f'lab.solution("{part}")')
    opened.run_again("lab.solution(")
    assert f"The finished {part}" in opened.outputs("lab.solution(")
    look.at("lab.check(", "passed")

    opened.save()
    assert (server.work / opened.name).stat().st_size < MOST_BYTES
    opened.open()
    assert all_passed(opened.outputs("lab.check("))
    assert opened.page.locator(".labkit-report").count() > 0
    assert "Error displaying widget" not in opened.page.inner_text(".jp-Notebook")
    look.at("lab.check(", "reopened", "dark")
    assert opened.errors == []


@dataclass
class Look:
    """Looks at a lesson's notebook, and keeps pictures of what it sees."""

    notebook: Notebook
    lesson: str

    def at(self, marker: str, state: str, *themes: str) -> None:
        """What stands under the last cell with a text, as a rule in both themes.

        In a lesson that has passed, also whatever else is drawn in it.
        """
        shown = {state: self.notebook.output(marker)}
        if state == "passed":
            drawn = {n: c for n, c in DRAWN.items() if self.notebook.cell(c).count()}
            shown |= {name: self.notebook.output(c) for name, c in drawn.items()}
        named = {f"{self.lesson[:9]}_{name}": part for name, part in shown.items()}
        for theme in themes or THEMES:
            in_theme(self.notebook.page, theme, **named)


def wrong_answer(lesson: str) -> tuple[str, list[str]]:
    """A known wrong answer that fails a check, and the lines it has to show."""
    checker = load_checker(lesson)
    for path in answers(lesson, "wrong"):
        report = judge_file(checker, path)
        for check in report.checks:
            if check.outcome == "failed":
                text = path.read_text(encoding="utf-8")
                return text, ["✗ failed", check.claim]
    raise LookupError(lesson)


def passed_parts(source: Path) -> set[str]:
    """The parts of a lesson, all of which have passed once it is solved."""
    return {found.part for found in exercises(source)}


def kept_parts(server: Server) -> set[str]:
    """What `labkit assemble` would find in the learner's folder."""
    return set(read_saved(server.work))


def lesson_progress(source: Path, server: Server) -> LessonProgress:
    """What `labkit progress` would say of a lesson in the learner's folder."""
    return next(one for one in progress(server.work) if one.lesson == source.stem)


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


def seconds_to_a_card(
    notebook: Notebook, lesson: str, capsys: pytest.CaptureFixture[str]
) -> float:
    """How long a check's answer takes to stand on the page; it is printed too."""
    started = time.perf_counter()
    notebook.run_again("lab.check(")
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n{lesson}: a check's answer on the page after {seconds:.2f} s")
    return seconds
