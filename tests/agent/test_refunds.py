"""Money moves only where the rule allows it, and after it was written down."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labkit.agent import Agent, Call
from labkit.shop import Shop
from tests.agent.conftest import StageFor
from tests.agent.turns import asks, call, says

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def lines(audit: Path) -> Lines:
    """What the audit log says by now."""

    def read() -> list[dict[str, Any]]:
        text = audit.read_text("utf-8") if audit.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    return read


def refund(agent: Agent, order_id: str, amount: Any) -> dict[str, Any]:
    args = {"order_id": order_id, "amount": amount}
    answer: dict[str, Any] = json.loads(agent.run_tool("refund", args))
    return answer


def paid(shop: Shop) -> list[float]:
    return [row["amount"] for row in shop.ledger()]


def test_the_limit_itself_is_paid_once(stage: StageFor, shop: Shop, power: str) -> None:
    assert refund(stage().agent, power, 100)["refunded"] == 100
    assert paid(shop) == [100.0]


@pytest.mark.parametrize(
    "amount",
    [100.01, 640, float("nan"), float("inf"), True, "50", -5, 0, None, 10**400],
    ids=lambda amount: str(amount)[:8],
)
def test_what_the_policy_denies_moves_no_money(
    stage: StageFor, shop: Shop, power: str, amount: Any
) -> None:
    assert "denied" in refund(stage().agent, power, amount)["error"]
    assert shop.ledger() == []


def test_small_refunds_of_one_order_add_up(
    stage: StageFor, shop: Shop, power: str
) -> None:
    agent = stage().agent
    answers = [refund(agent, power, amount) for amount in (60, 40.01, 40, 0.01)]
    assert ["error" in answer for answer in answers] == [False, True, False, True]
    assert paid(shop) == [60.0, 40.0]


def test_part_of_a_cent_is_not_paid_above_the_limit(
    stage: StageFor, shop: Shop, power: str
) -> None:
    agent = stage().agent
    refund(agent, power, 0.01)
    refund(agent, power, 99.995)
    assert shop.refunded_so_far(power) <= 100


def test_other_orders_are_not_touched_by_it(
    stage: StageFor, shop: Shop, power: str
) -> None:
    agent = stage().agent
    refund(agent, power, 100)
    assert refund(agent, "NW-1041", 100)["refunded"] == 100


def test_the_shops_ledger_is_what_counts(
    stage: StageFor, shop: Shop, power: str
) -> None:
    shop.refund(power, 70)
    agent = stage().agent
    assert agent.refunded_so_far(power) == 70
    assert "above the limit" in refund(agent, power, 31)["error"]


def test_an_agent_without_a_ledger_has_paid_nothing(stage: StageFor) -> None:
    assert stage(tools=[], functions={}).agent.refunded_so_far("NW-1041") == 0


def test_the_flag_lifts_the_limit(stage: StageFor, shop: Shop, power: str) -> None:
    refund(stage(allow_large_refunds=True).agent, power, 640)
    assert paid(shop) == [640.0]


def test_the_limit_is_the_one_given(stage: StageFor, shop: Shop, power: str) -> None:
    agent = stage(refund_limit=20).agent
    assert "above the limit 20" in refund(agent, power, 20.01)["error"]


def test_the_refusal_reaches_the_model_under_its_id(
    stage: StageFor, power: str
) -> None:
    asked = call("refund", {"order_id": power, "amount": 640}, "call_no")
    made = stage(asks(asked), says("I may not."))
    made.run()
    reply = made.requests[1]["messages"][3]
    assert reply["tool_call_id"] == "call_no"
    assert "above the limit 100" in json.loads(reply["content"])["error"]


def test_many_refunds_in_one_message_stay_within_the_limit(
    stage: StageFor, shop: Shop, power: str
) -> None:
    args = {"order_id": power, "amount": 40}
    calls = [call("refund", args, f"call_{n}") for n in range(4)]
    stage(asks(*calls), says("Done.")).run()
    assert paid(shop) == [40.0, 40.0]


@pytest.mark.parametrize(
    ("amount", "decision"), [(50, "allowed"), (640, "denied"), ("50", "denied")]
)
def test_each_decision_is_in_the_audit_log_with_its_arguments(
    stage: StageFor, power: str, audit: Path, lines: Lines, amount: Any, decision: str
) -> None:
    refund(stage(audit=audit).agent, power, amount)
    [line] = lines()
    assert set(line) == {"time", "tool", "arguments", "decision", "reason"}
    assert (line["tool"], line["decision"]) == ("refund", decision)
    assert line["arguments"] == {"order_id": power, "amount": amount}
    assert line["reason"]


def test_the_line_is_written_before_money_moves(
    stage: StageFor, shop: Shop, power: str, audit: Path, lines: Lines
) -> None:
    seen = []
    shop.on_ledger = lambda row: seen.append([line["decision"] for line in lines()])
    refund(stage(audit=audit).agent, power, 50)
    assert seen == [["allowed"]]


def test_no_money_moves_if_it_cannot_be_written_down(
    stage: StageFor, shop: Shop, power: str, tmp_path: Path
) -> None:
    agent = stage(audit=tmp_path / "nowhere" / "audit.jsonl").agent
    args = json.dumps({"order_id": power, "amount": 50})
    assert "nowhere" in agent.execute_call(Call("call_1", "refund", args))
    assert shop.ledger() == []


def test_reading_is_not_audited(stage: StageFor, audit: Path, lines: Lines) -> None:
    stage(audit=audit).agent.run_tool("lookup_order", {"order_id": "NW-1041"})
    assert lines() == []


def test_other_tools_are_run_whatever_the_amount(stage: StageFor) -> None:
    args = {"amount": 5_000, "from_currency": "USD", "to_currency": "USD"}
    answer = json.loads(stage().agent.run_tool("convert_currency", args))
    assert answer["amount"] == 5_000
