"""What a notebook talks to."""

import pytest

from labkit import Agent, LabError, Lesson
from labkit.authoring.verify import reference


class Starter(Agent):
    pass


def test_a_starter_is_not_started() -> None:
    card = Lesson("lesson_03_loop").check(Starter)
    assert {check.outcome for check in card.report.checks} <= {"not_started", "skipped"}


def test_the_finished_loop_passes_and_the_card_has_two_faces() -> None:
    card = Lesson("lesson_03_loop").check(reference(["step"])["MyAgent"])
    assert card.report.exit_code == 0
    assert repr(card).count("✓") == len(card.report.checks)
    assert card._repr_html_().count("<li") == len(card.report.checks)


def test_an_unknown_lesson_is_told_at_once() -> None:
    with pytest.raises(LabError, match="no lesson 'lesson_99'"):
        Lesson("lesson_99")
