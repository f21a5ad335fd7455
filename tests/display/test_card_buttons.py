"""The buttons below a card: hints one by one, a solution asked for twice."""

from typing import Any

import pytest

from labkit.display.cards import Help
from labkit.display.face import Face

pytest.importorskip("ipywidgets")

from labkit.display.card_buttons import HelpButtons


class Ladder:
    """Three hints, given one by one."""

    def __init__(self) -> None:
        self.given = 0

    def next(self, part: str) -> tuple[int, int]:
        return min(self.given + 1, 3), 3

    def hint(self, part: str) -> Face:
        self.given += 1
        return Face(f"hint {self.given}", f"<i>hint {self.given}</i>")


def buttons(**about: Any) -> tuple[HelpButtons, list[Face]]:
    ladder = Ladder()

    def solution(part: str) -> Face:
        return Face(f"def {part}", f"<pre>def {part}</pre>")

    made = HelpButtons(Help(ladder.hint, solution, ladder.next, **about))
    drawn: list[Face] = []
    made.show_as = drawn.append
    return made, drawn


def test_a_button_shows_the_hints_one_by_one_and_ends_with_the_last() -> None:
    made, drawn = buttons(part="step")
    assert [b.description for b in made.all] == ["Next hint"]
    for _ in range(3):
        made.hint.click()
    assert drawn[-1].text == "hint 1\n\nhint 2\n\nhint 3"
    assert made.hint.disabled
    assert made.hint.description == "No more hints"


def test_a_solution_is_shown_by_the_second_click_and_not_by_the_first() -> None:
    made, drawn = buttons(part="step", solutions=["step"])
    clicked = made.solutions["step"]
    clicked.click()
    assert "It helps more to try once more. Click again to see it." in drawn[-1].text
    assert "def step" not in drawn[-1].html
    clicked.click()
    assert "def step" in drawn[-1].html
    assert "once more" not in drawn[-1].text
    assert clicked.disabled


def test_a_solution_that_is_not_earned_has_no_button() -> None:
    made, _ = buttons(part="step")
    assert made.solutions == {}


def test_a_passed_part_has_its_solution_and_no_hint() -> None:
    made, _ = buttons(solutions=["policy", "run_tool"])
    names = [button.description for button in made.all]
    assert names == ["Solution of policy", "Solution of run_tool"]
