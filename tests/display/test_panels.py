"""The live panels, worked without a browser: what a click does."""

import json
from typing import Any

import pytest

from labkit import Agent
from labkit.agents import KITS
from labkit.display.panels.approval import question
from labkit.display.panels.call_fields import OTHER, CallFields
from labkit.display.panels.your_turn import Panel
from labkit.display.your_turn import without_buttons, your_turn
from labkit.errors import LabError
from labkit.your_turn import YourTurn

ORDER = {"tool": "lookup_order", "order_id": "NW-1041"}


class Stumbling(Agent):
    def step(self, result: Any) -> Any:
        reason = super().step(result)
        if result.steps == 2:
            raise KeyError("price")
        return reason


class Forgetful(Agent):
    def step(self, result: Any) -> Any:
        reason = super().step(result)
        del result.messages[-1]
        return reason


def begun(agent: Any = Agent) -> YourTurn:
    return YourTurn(agent, ["over_budget"], "What does it weigh?")


def last_message(turn: YourTurn) -> str:
    return turn.seen.requests[-1].messages[-1].text


@pytest.fixture
def fields() -> CallFields:
    return CallFields(KITS["support"].tools)


@pytest.fixture
def panel() -> Panel:
    panel = Panel(begun())
    panel.redraw_as = lambda face: None
    return panel


def test_another_tool_has_fields_again_after_raw_text(fields: CallFields) -> None:
    fields.is_raw.value = True
    fields.raw.value = "not JSON"
    fields.tool.value = "calculator"
    assert not fields.is_raw.value
    assert list(fields.given) == ["expression"]


def test_a_conversation_begins_with_the_question_and_waits() -> None:
    turn = begun()
    assert turn.waits
    assert [m.role for m in turn.seen.requests[0].messages] == ["system", "user"]
    assert "Request 1: 2 messages" in repr(your_turn(turn))


def test_each_reply_takes_one_step() -> None:
    turn = begun()
    turn.reply(ORDER)
    assert turn.waits
    assert len(turn.seen.requests) == 2
    assert "storage crate" in last_message(turn)
    turn.reply("It weighs 11.2 kg.")
    assert not turn.waits
    assert turn.seen.result["stopped_by"] == "answered"
    assert "answered: 2 steps, 1 tool run" in repr(your_turn(turn))


def test_a_reply_after_the_end_changes_nothing() -> None:
    turn = begun()
    turn.reply("It weighs 11.2 kg.")
    turn.reply(ORDER)
    assert turn.replies == ["It weighs 11.2 kg."]


def test_several_calls_travel_in_one_message() -> None:
    turn = begun()
    turn.reply([ORDER, ORDER])
    ids = [message.call_id for message in turn.seen.requests[1].messages[-2:]]
    assert ids == ["call_1_1", "call_1_2"]


def test_arguments_that_are_no_json_come_back_as_an_error() -> None:
    turn = begun()
    turn.reply({"tool": "lookup_order", "arguments": '{"order_id": "NW-10'})
    assert turn.waits
    assert "JSONDecodeError" in last_message(turn)


def test_a_tool_that_nobody_has_comes_back_as_an_error() -> None:
    turn = begun()
    turn.reply({"tool": "delete_order"})
    assert "there is no tool 'delete_order'" in last_message(turn)


def test_a_refund_is_paid_once_however_long_the_conversation() -> None:
    turn = begun()
    turn.reply({"tool": "refund", "order_id": "NW-7411", "amount": 60})
    turn.reply(ORDER)
    assert [row["amount"] for row in turn.seen.ledger] == [60]


def test_an_exception_of_the_learners_is_told_and_can_be_taken_back() -> None:
    turn = begun(Stumbling)
    turn.reply(ORDER)
    turn.reply(ORDER)
    assert not turn.waits
    assert "raised KeyError: 'price' (line 24)" in repr(your_turn(turn))
    turn.take_back()
    assert turn.waits
    assert len(turn.replies) == 1


def test_a_request_that_the_rules_refuse_is_told_in_their_words() -> None:
    turn = begun(Forgetful)
    turn.reply(ORDER)
    assert not turn.waits
    assert "did not have response messages: call_1_1" in repr(your_turn(turn))


def test_a_spent_budget_ends_the_conversation() -> None:
    turn = begun()
    for _ in range(8):
        turn.reply(ORDER)
    assert "step_budget: 8 steps" in repr(your_turn(turn))


def test_a_new_conversation_has_its_own_question() -> None:
    turn = begun()
    turn.reply(ORDER)
    turn.begin("Where is it?")
    assert turn.waits
    assert last_message(turn) == "Where is it?"


def test_a_reply_that_is_neither_text_nor_call_is_refused() -> None:
    turn = begun()
    with pytest.raises(LabError, match="neither a text nor a call"):
        turn.reply(5)
    assert turn.waits
    assert turn.replies == []


def test_what_was_typed_is_shown_and_not_run() -> None:
    turn = begun()
    turn.reply({"tool": "x", "arguments": '{"a": "<script>alert(1)</script>"}'})
    turn.begin("<img src=x onerror=alert(1)>")
    assert "<script" not in your_turn(turn).html
    assert "<img" not in your_turn(turn).html


def test_where_nothing_can_be_clicked_a_sentence_says_what_to_write() -> None:
    assert "give a question and a list of replies" in repr(without_buttons())
    assert not repr(without_buttons()).endswith("…")


def test_fields_become_arguments_and_empty_ones_are_left_out(
    fields: CallFields,
) -> None:
    fields.tool.value = "refund"
    fields.given["amount"].value = "60"
    assert fields.call() == {"tool": "refund", "arguments": '{"amount": 60}'}


@pytest.mark.parametrize("text", ["sixty", "[60]", '"60"', "60,5"])
def test_what_is_no_number_is_sent_as_text(fields: CallFields, text: str) -> None:
    fields.tool.value = "refund"
    fields.given["amount"].value = text
    assert json.loads(fields.call()["arguments"]) == {"amount": text}


def test_raw_arguments_begin_as_the_fields_and_are_sent_as_they_stand(
    fields: CallFields,
) -> None:
    fields.given["order_id"].value = "NW-1041"
    fields.is_raw.value = True
    assert fields.raw.value == '{"order_id": "NW-1041"}'
    fields.raw.value = '{"order_id": '
    assert fields.call() == {"tool": "lookup_order", "arguments": '{"order_id": '}


def test_a_tool_may_have_another_name(fields: CallFields) -> None:
    fields.tool.value = OTHER
    fields.name.value = "delete_order"
    assert fields.call() == {"tool": "delete_order", "arguments": ""}


def test_every_field_has_a_name_and_says_if_it_may_stay_empty(
    fields: CallFields,
) -> None:
    fields.tool.value = "list_orders"
    names = [field.description for field in fields.given.values()]
    assert names == ["country (optional)", "status (optional)"]
    assert "processing, shipped" in fields.given["status"].placeholder


def test_calls_are_collected_and_sent_together(panel: Panel) -> None:
    panel.fields.given["order_id"].value = "NW-1041"
    panel.add.click()
    assert "NW-1041" in panel.collected.value
    assert panel.send.description == "Send 2 calls"
    assert panel.say.disabled
    panel.fields.given["order_id"].value = "NW-7411"
    panel.send.click()
    assert len(panel.turn.replies[0]) == 2
    assert panel.send.description == "Send this call"


def test_what_was_collected_can_be_taken_back(panel: Panel) -> None:
    panel.add.click()
    panel.back.click()
    assert panel.calls == []
    assert panel.turn.replies == []


def test_after_the_end_only_a_new_beginning_is_offered(panel: Panel) -> None:
    panel.answer.value = "Done."
    panel.say.click()
    assert panel.reply.layout.display == "none"
    assert "stopped" in panel.status.value
    panel.question.value = "Where is it?"
    panel.anew.click()
    assert panel.turn.waits
    assert panel.reply.layout.display is None


def test_collected_calls_are_shown_and_not_run(panel: Panel) -> None:
    panel.fields.tool.value = OTHER
    panel.fields.name.value = "<img src=x onerror=alert(1)>"
    panel.add.click()
    assert "<img" not in panel.collected.value


def test_whoever_approves_sees_the_call_and_the_reason_escaped() -> None:
    asked = question("refund", {"order_id": "<b>", "amount": 640}, "above <i>100</i>")
    assert "refund({&quot;order_id&quot;: &quot;&lt;b&gt;&quot;" in asked
    assert "above &lt;i&gt;100&lt;/i&gt;" in asked
