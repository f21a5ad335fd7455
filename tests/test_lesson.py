"""What a notebook talks to."""

import asyncio
from typing import Any

import pytest

from labkit import Agent, EvalReport, LabError, Lesson
from labkit.authoring.verify import reference
from labkit.display.face import Face
from labkit.shop import cases

WHOLE: type = reference(["step"])["MyAgent"]


class Starter(Agent):
    def step(self, result: Any) -> Any:
        """What a learner begins with."""


@pytest.fixture
def lab() -> Any:
    return Lesson("lesson_03_loop")


def mimes(face: Face) -> set[str]:
    return set(face._repr_mimebundle_())


def test_a_starter_is_not_started(lab: Any) -> None:
    outcomes = {check.outcome for check in lab.check(Starter).report.checks}
    assert outcomes == {"not_started", "skipped"}


def test_the_finished_loop_passes(lab: Any) -> None:
    card = lab.check(WHOLE)
    assert card.report.exit_code == 0
    assert repr(card).count("✓") == len(card.report.checks)


def test_a_face_is_html_in_a_notebook_and_text_for_nbval(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = lab.check(WHOLE)
    assert mimes(card) == {"text/plain", "text/html"}
    monkeypatch.setenv("LABKIT_DISPLAY", "text")
    assert mimes(card) == {"text/plain"}


def test_what_is_compared_holds_no_times(lab: Any) -> None:
    assert repr(lab.check(WHOLE)) == repr(lab.check(WHOLE))


def test_hints_go_down_a_ladder_and_stay_at_its_end(lab: Any) -> None:
    heads = [repr(lab.hint()).partition(" for ")[0] for _ in range(4)]
    assert heads == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]


def test_a_solution_is_the_finished_code(lab: Any) -> None:
    assert 'return "provider_error"' in repr(lab.solution())


@pytest.mark.parametrize("ask", ["hint", "solution"])
def test_an_unknown_part_is_told_with_those_there_are(lab: Any, ask: str) -> None:
    with pytest.raises(LabError, match="no part 'leap'; it has: step"):
        getattr(lab, ask)("leap")


def test_a_recording_is_shown_reply_by_reply(lab: Any) -> None:
    text = repr(lab.show("shipping_chain"))
    assert text.count("\nreply ") == 4
    assert 'asks shipping_rate({"country": "Germany"})' in text


def test_one_reply_is_shown_as_json_and_by_attribute_path(lab: Any) -> None:
    text = repr(lab.show("one_lookup", turn=1))
    assert "completion.choices[0].message.tool_calls[0].function.name" in text
    assert '"finish_reason": "tool_calls"' in text


def test_watching_a_starter_lends_the_finished_part_and_says_so(lab: Any) -> None:
    text = repr(lab.watch(Starter, "shipping_chain"))
    assert "step is not written yet: the finished one acts" in text
    assert "answered: 4 steps, 3 tool runs" in text


def test_watching_shows_what_the_learners_own_code_did(lab: Any) -> None:
    class Hasty(Agent):
        def step(self, result: Any) -> Any:
            result.steps += 1
            self.call_model(result.messages)
            raise KeyError("price")

    text = repr(lab.watch(Hasty, "shipping_chain"))
    assert "not written" not in text
    assert "raised KeyError: 'price'" in text


def test_a_function_of_the_learners_is_put_into_the_whole_agent(lab: Any) -> None:
    def dispatch(registry: Any, name: str, args: Any) -> str:
        return '{"mine": true}'

    assert '{"mine": true}' in repr(lab.watch(dispatch, "one_lookup"))
    assert '{"mine": true}' not in repr(lab.watch(Starter, "one_lookup"))


def test_a_known_wrong_answer_is_shown_with_its_report(lab: Any) -> None:
    text = repr(lab.wrong("no_id"))
    assert "fails:" not in text
    assert "def step(self, result):" in text
    assert "tool_call_id is missing" in text


def test_an_unknown_wrong_answer_is_told_with_those_there_are(lab: Any) -> None:
    with pytest.raises(LabError, match="no wrong answer 'no_such'"):
        lab.wrong("no_such")


def test_you_may_answer_in_the_models_place(lab: Any) -> None:
    replies = [{"tool": "lookup_order", "order_id": "NW-1041"}, "It is on its way."]
    text = repr(lab.be_the_model(Agent, "Where is it?", replies))
    assert '"order_id": "NW-1041"' in text
    assert "answered: 2 steps, 1 tool run," in text


def test_a_reply_that_is_neither_text_nor_call_is_refused(lab: Any) -> None:
    with pytest.raises(LabError, match="reply 2 is neither a text nor a call"):
        lab.be_the_model(Agent, "?", ["Yes.", 5])


def test_what_a_model_wrote_is_shown_and_not_run(lab: Any) -> None:
    html = lab.be_the_model(Agent, "?", ["<script>alert(1)</script>"]).html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_only_what_is_given_is_judged() -> None:
    def parse_tool_calls(message: Any) -> Any:
        return []

    card = Lesson("lesson_01_raw_tool_call").check(parse_tool_calls)
    assert {check.part for check in card.report.checks} == {"parse_tool_calls"}
    assert card.report.notes == []


def test_a_part_is_judged_alone_though_a_check_joins_it_with_another() -> None:
    def dispatch(registry: Any, name: str, args: Any) -> str:
        return "{}"

    card = Lesson("lesson_02_dispatcher").check(dispatch)
    assert {check.part for check in card.report.checks} == {"dispatch"}


def test_what_the_lesson_does_not_ask_for_is_told(lab: Any) -> None:
    def dispatch() -> None:
        pass

    with pytest.raises(LabError, match="checks MyAgent; you gave dispatch"):
        lab.check(dispatch)


@pytest.mark.parametrize("thing", [5, "MyAgent", None])
def test_what_cannot_be_checked_is_refused_in_a_sentence(lab: Any, thing: Any) -> None:
    with pytest.raises(LabError, match="cannot be checked"):
        lab.check(thing)


def test_an_unknown_lesson_is_told_at_once() -> None:
    with pytest.raises(LabError, match="no lesson 'lesson_99'"):
        Lesson("lesson_99")


@pytest.mark.parametrize("words", [(), (Starter,), ("shipping_chain", Starter)])
def test_watch_says_what_it_takes(lab: Any, words: Any) -> None:
    with pytest.raises(LabError, match="then a recording's name"):
        lab.watch(*words)


def test_a_reply_that_is_not_there_is_told(lab: Any) -> None:
    with pytest.raises(LabError, match="has replies 1 to 4, none 9"):
        lab.show("shipping_chain", turn=9)


def test_a_lab_error_is_one_line_in_a_notebook() -> None:
    assert LabError("there is no x.")._render_traceback_() == [
        "LabError: there is no x."
    ]


def test_a_wrong_answer_may_be_shown_without_its_code(lab: Any) -> None:
    text = repr(lab.wrong("no_id", code=False))
    assert "def step" not in text
    assert "tool_call_id is missing" in text


def test_an_answer_is_shown_whole_however_long(lab: Any) -> None:
    answer = "word " * 200
    assert answer.strip() in repr(lab.be_the_model(Agent, "?", [answer]))


def test_replies_that_were_not_asked_for_are_told(lab: Any) -> None:
    text = repr(lab.be_the_model(Agent, "?", ["Yes.", "No.", "Perhaps."]))
    assert "the last 2 of your replies were not asked for" in text


def test_replies_that_are_no_list_are_refused(lab: Any) -> None:
    with pytest.raises(LabError, match="replies is a list"):
        lab.be_the_model(Agent, "?", "Yes.")


def test_an_exception_is_told_with_the_code_that_raised_it(lab: Any) -> None:
    class Hasty(Agent):
        def step(self, result: Any) -> Any:
            return result.stopped_for

    seen = lab.check(Hasty).report.checks[0].seen
    assert "AttributeError" in seen
    assert seen.endswith("(in: return result.stopped_for)")


def test_where_nothing_can_fork_the_loop_is_its_own_again_afterwards(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from labkit.agent import loop

    def dispatch(registry: Any, name: str, args: Any) -> str:
        return '{"mine": true}'

    monkeypatch.setattr("sys.platform", "win32")
    finished = loop.dispatch
    assert '{"mine": true}' in repr(lab.watch(dispatch, "one_lookup"))
    assert loop.dispatch is finished
    assert "tool_call_id is missing" in repr(lab.wrong("no_id"))


def test_a_meter_lays_both_bills_side_by_side(lab: Any) -> None:
    text = repr(lab.meter(Starter, "runaway"))
    assert "note: step is not written yet" in text
    rows = {line.split("  ")[0]: line.split()[1:] for line in text.splitlines()}
    assert rows["completions"] == ["40", "8"]
    assert rows["tool calls"][-2:] == ["80", "16"]
    assert "step_budget" in rows["stopped by"]


def test_a_meter_bills_a_run_that_ends_by_itself_as_it_ended(lab: Any) -> None:
    assert repr(lab.meter(WHOLE, "shipping_chain")).count("answered") == 2


def test_a_chart_shows_requests_cut_and_uncut(lab: Any) -> None:
    chart = lab.chart(WHOLE, "crate_by_the_table")
    values = chart.spec["data"]["values"]
    largest = {v["results"]: v["tokens"] for v in values if v["request"] == 2}
    assert largest["uncut"] > largest["cut"] > 1000
    assert set(chart._repr_mimebundle_()) == {
        "text/plain",
        "application/vnd.vegalite.v5+json",
    }
    assert "request 2  uncut" in repr(chart)


def test_evals_run_the_finished_agent_and_judge_by_what_was_written() -> None:
    def evaluate(run: Any, cases: Any, threshold: float) -> Any:
        return EvalReport(1, 9, 0.5, {}, {run(cases[0]).stopped_by: ["?"]}, 0)

    text = repr(Lesson("lesson_08_evals").evaluate(evaluate, cases()[:1]))
    assert "1 of 9 cases passed, rate 0.50, threshold 0.80: exit code 0" in text
    assert "stopped by answered: 1" in text


def test_an_evaluate_that_is_not_written_is_lent() -> None:
    def evaluate(run: Any, cases: Any, threshold: float) -> Any:
        """Not written yet."""

    face = Lesson("lesson_08_evals").evaluate(evaluate, cases()[:1])
    text = repr(face)
    assert "note: evaluate is not written yet" in text
    assert "note: evaluate is not written yet" in face.html
    assert "1 of 1 cases passed" in text


def test_an_evaluate_that_gives_something_else_is_told() -> None:
    def evaluate(run: Any, cases: Any, threshold: float) -> Any:
        return {"passed": 1}

    def score(case: Any, result: Any) -> list[str]:
        return []

    text = repr(Lesson("lesson_08_evals").evaluate(evaluate, score, cases()[:1]))
    assert "has no exit_code, failures, pass_rate, stops, total" in text


def test_evaluate_says_what_it_takes() -> None:
    with pytest.raises(LabError, match="then a list of cases"):
        Lesson("lesson_08_evals").evaluate(Agent)


def test_where_there_are_no_buttons_a_large_refund_is_denied(lab: Any) -> None:
    text = repr(asyncio.run(lab.play(WHOLE, "large_refund")))
    assert "person       denies refund(" in text
    assert "ledger" not in text


def test_raw_arguments_may_be_sent_in_the_models_place(lab: Any) -> None:
    replies = [{"tool": "lookup_order", "arguments": "{NW-1041"}, "Sorry."]
    assert "JSONDecodeError" in repr(lab.be_the_model(Agent, "?", replies))


def test_what_a_server_said_instead_of_a_message_is_drawn(lab: Any) -> None:
    text = repr(lab.watch(WHOLE, "busy_twice"))
    assert "status 503: Every worker is busy" in text


def test_alternatives_are_shown_with_what_they_answer(lab: Any) -> None:
    text = repr(lab.show("postage_in_euros"))
    assert "if the last tool result is an error that says what is wrong:" in text
    assert "otherwise:" in text
