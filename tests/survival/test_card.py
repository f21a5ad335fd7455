"""`lab.survive`: what was written, with a tutorial's agent beside it."""

from typing import Any

import pytest

from labkit import Agent, Decision, Lesson
from labkit.survival.collection import failures

TOTAL = len(failures())


class Starter(Agent):
    def step(self, result: Any) -> Any:
        """What a learner begins with."""


def policy(name: str, args: dict[str, Any], **how: Any) -> Decision:
    return Decision(True, "everything may run")


@pytest.fixture(scope="module")
def card() -> Any:
    return Lesson("lesson_03_loop").survive(Starter)


def test_what_is_not_written_yet_is_lent(card: Any) -> None:
    text = repr(card)
    assert "note: step is not written yet: the finished one acts" in text
    assert f"your agent: {TOTAL} of {TOTAL} survived, 0 lost" in text


def test_a_notebook_does_not_list_what_waits_for_later_lessons(card: Any) -> None:
    assert "waiting for" not in repr(card) + card.html


def test_a_tutorials_agent_stands_beside_it(card: Any) -> None:
    lost = card.html.count("✗ lost")
    told = f"a tutorial's agent: {TOTAL - lost} of {TOTAL} survived, {lost} lost"
    assert told in repr(card)
    assert "a tutorial&#39;s agent" in card.html


def test_each_failure_has_a_row_with_two_verdicts(card: Any) -> None:
    assert card.html.count("<tr data-failure=") == TOTAL
    verdicts = [card.html.count(word) for word in ("✓ survived", "✗ lost")]
    assert sum(verdicts) == 2 * TOTAL
    assert min(verdicts) > 0


def test_it_links_the_report_that_it_was_seen_in(card: Any) -> None:
    for failure in failures():
        assert f'href="{failure.header["source"]}"' in card.html


def test_in_text_mode_only_the_text_is_shown(
    card: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABKIT_DISPLAY", "text")
    assert set(card._repr_mimebundle_()) == {"text/plain"}


def test_what_is_compared_is_the_same_each_time(card: Any) -> None:
    assert repr(Lesson("lesson_03_loop").survive(Starter)) == repr(card)


def test_a_function_of_the_learners_stands_in_the_loop() -> None:
    text = repr(Lesson("lesson_06_guardrail").survive(policy))
    lost = text.partition("V14 ")[2].partition("\nV15 ")[0]
    assert "✗ lost, your agent" in lost
    assert "640.00 dollars were paid back" in lost
