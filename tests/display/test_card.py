"""The check card: an outcome in words and shape, help below it, nothing that acts."""

import re
from typing import Any

import pytest

from labkit import Agent, Lesson
from labkit.attempts import Attempts
from labkit.checking.report import CheckResult, Report
from labkit.display import card_evidence
from labkit.display.card_evidence import Findings
from labkit.display.cards import Card, Help, Passed, card
from labkit.display.face import Face
from labkit.lab import lessons

NASTY = "<script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m"
OUTCOMES = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "failed"),
    "not_started": ("○", "not started"),
    "skipped": ("\u2013", "waits"),
    "error": ("✗", "raised an error"),
    "timeout": ("✗", "out of time"),
    "memory": ("✗", "out of memory"),
    "output": ("✗", "printed too much"),
    "crashed": ("✗", "crashed"),
    "tampered": ("✗", "tampered"),
    "broken": ("!", "the lab&#39;s fault"),
}


def result(outcome: str = "failed", part: str = "step", **fields: str) -> CheckResult:
    return CheckResult(f"a_check_{outcome}", part, "it holds", outcome, 1, **fields)


def report(*checks: CheckResult) -> Report:
    return Report("lesson_x", "ann", 0, seconds=0.25, checks=list(checks))


def no_help(part: str = "", solutions: list[str] | None = None) -> Help:
    def face(part: str) -> Face:
        return Face("", "")

    return Help(face, face, lambda part: (1, 3), part, solutions or [])


def drawn(*checks: CheckResult, found: Findings | None = None, **help: Any) -> Card:
    shown = no_help(**help)
    return card(report(*checks), found or Findings(), Passed(), shown)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_has_a_word_and_a_shape(outcome: str) -> None:
    html = drawn(result(outcome)).html
    sign, word = OUTCOMES[outcome]
    assert re.search(rf'aria-hidden="true">{sign}</span> {word}</span>', html)


def test_what_is_to_be_mended_first_stands_open_and_nothing_else() -> None:
    html = drawn(
        result("passed"),
        result(seen="three", expected="two", try_="count"),
        result("error", seen="KeyError"),
        result("skipped"),
    ).html
    assert html.count("<details open>") == 1
    assert html.count("<details>") == 1
    opened = html.partition("<details open>")[2].partition("</details>")[0]
    texts = [opened.index(text) for text in ("it holds", "three", "two", "count")]
    assert texts == sorted(texts)


def test_the_card_says_that_grading_uses_other_orders_and_how_long_it_took() -> None:
    shown = drawn(result("passed"), result())
    said = "1 of 2 checks passed"
    assert said in shown.html
    assert said in shown.text
    for face in (shown.html, shown.text):
        assert "1 of 2 points; grading uses other orders" in face
    assert "(0.25 s)" in shown.html
    assert "0.25" not in shown.text


def test_what_a_learner_wrote_is_shown_and_not_run() -> None:
    failed = result(seen=NASTY, expected=NASTY, try_=NASTY)
    hostile = report(failed)
    hostile.printed, hostile.notes = NASTY, [f"noted: {NASTY}"]
    html = card(hostile, Findings(), Passed(), no_help()).html
    assert "<script" not in html
    assert "<img" not in html
    assert "\x1b" not in html
    assert html.count("&lt;img") == 5


def test_a_card_stays_small_whatever_was_printed_and_seen() -> None:
    large = report(*(result(seen="x" * 100_000, try_="y" * 100_000) for _ in range(9)))
    large.printed = "z" * 64_000 + "\nline" * 64_000
    shown = card(large, Findings(), Passed(), no_help("step"))
    assert len(shown.html) + len(shown.text) < 30_000


def test_a_conversation_is_folded_into_the_check_it_is_about() -> None:
    about = result(seen="two requests")
    beside = Face("one | other", "<b>side by side</b>")
    shown = drawn(about, found=Findings(about.id, beside))
    inner = shown.html.partition('<details class="labkit-beside">')[2]
    assert inner.index("your conversation") < inner.index("<b>side by side</b>")
    assert "one | other" in shown.text


def test_a_passed_lesson_says_what_was_learned_and_links_the_next() -> None:
    passed = Passed("You wrote it.", "lesson_04_budgets.ipynb")
    shown = card(report(result("passed")), Findings(), passed, no_help())
    assert '<a href="lesson_04_budgets.ipynb">' in shown.html
    assert "You wrote it." in shown.html
    assert "You wrote it.\nnext: lesson_04_budgets.ipynb" in shown.text


def test_the_last_lesson_says_so_and_leads_to_the_agent() -> None:
    shown = card(report(result("passed")), Findings(), Passed("You did."), no_help())
    for face in (shown.html, shown.text):
        assert "This was the last one: lab.assemble()" in face


@pytest.mark.parametrize("lesson", lessons())
def test_each_lesson_has_one_sentence_on_what_was_learned(lesson: str) -> None:
    lab: Any = Lesson(lesson)
    assert lab.checker.learned.startswith("You ")
    assert lab.checker.learned.count(".") == 1


def test_after_the_last_lesson_there_is_no_next_one() -> None:
    lab: Any = Lesson(lessons()[-1])
    lab.guidance.attempts.passing.update(lab.checker.parts)
    assert lab.guidance.passed() == Passed(lab.checker.learned, "")


def test_a_lesson_of_which_a_part_is_missing_is_not_passed() -> None:
    lab: Any = Lesson("lesson_04_budgets")
    lab.guidance.attempts.passing.add("over_budget")
    assert lab.guidance.passed() == Passed()
    lab.guidance.attempts.passing.add("count_tokens")
    assert lab.guidance.passed().next == "lesson_05_errors.ipynb"


def test_the_static_face_names_the_calls_that_help() -> None:
    assert "more: lab.hint()" in drawn(result(), part="step").text
    earned = drawn(result(), part="step", solutions=["step"])
    assert "more: lab.hint() or lab.solution()" in earned.text
    assert "<code>lab.solution()</code>" in earned.html
    assert "more:" not in drawn(result("passed"), solutions=["step"]).text


def test_without_a_live_notebook_a_card_has_its_other_two_faces() -> None:
    shown = drawn(result(), part="step")
    with pytest.raises(NotImplementedError):
        shown._ipython_display_()
    assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html"}


def attempt(number: int, remark: str = "") -> dict[str, Any]:
    """What a learner wrote, as a file has it, so that its code can be found."""
    import linecache

    text = f"def policy(name, args):\n    return {number}{remark}\n"
    file = f"<cell {number}{remark}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, file, "exec"), names)
    return {"policy": names["policy"]}


def test_three_different_attempts_earn_the_solution() -> None:
    attempts = Attempts()
    wrong = report(result(part="policy"))
    for number in (1, 1, 2):
        attempts.note(wrong, attempt(number))
    attempts.note(wrong, attempt(2, "  # the same, with a remark"))
    assert attempts.earned == set()
    attempts.note(wrong, attempt(3))
    assert attempts.earned == {"policy"}


def test_a_part_that_is_not_written_is_no_attempt() -> None:
    attempts = Attempts()
    for number in range(5):
        empty = report(result("not_started", "policy"), result("skipped", "policy"))
        attempts.note(empty, attempt(number))
    assert attempts.earned == set()


def test_where_the_code_is_not_to_be_had_the_verdicts_tell_attempts_apart() -> None:
    attempts = Attempts()
    for seen in ("a", "b", "b", "c"):
        attempts.note(report(result(seen=seen)), {"MyAgent": object()})
    assert len(attempts.tried["step"]) == 3
    assert attempts.earned == {"step"}


def test_a_pass_earns_the_solution_for_good_and_passing_ends_with_a_failure() -> None:
    attempts = Attempts()
    attempts.note(report(result("passed")), {})
    attempts.note(report(result()), {})
    assert attempts.earned == {"step"}
    assert attempts.passing == set()


def test_a_solution_that_is_not_earned_is_asked_for_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("labkit.display.face.in_notebook", lambda: True)
    lab: Any = Lesson("lesson_03_loop")
    assert "It helps more to try once more" in repr(lab.solution())
    assert 'return "provider_error"' in repr(lab.solution())


def test_a_value_printed_in_place_of_returned_is_told_kindly() -> None:
    def dispatch(registry: Any, name: str, args: Any) -> None:
        print("{}")

    shown = Lesson("lesson_02_dispatcher").check(dispatch)
    assert "dispatch printed something and gave back None" in repr(shown)


def test_the_text_face_is_the_same_each_time_and_has_no_time_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LABKIT_DISPLAY", "text")

    def dispatch(registry: Any, name: str, args: Any) -> str:
        return "nothing"

    first, second = (
        repr(Lesson("lesson_02_dispatcher").check(dispatch)) for _ in range(2)
    )
    assert first == second
    assert " s)" not in first


def test_a_fault_in_drawing_a_conversation_costs_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("cannot be drawn")

    class Forgetful(Agent):
        def step(self, result: Any) -> Any:
            self.call_model(result.messages)
            return "answered"

    monkeypatch.setattr(card_evidence, "right_run", broken)
    assert "✗" in repr(Lesson("lesson_03_loop").check(Forgetful))
