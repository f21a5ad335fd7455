"""A person is asked only where the limit alone stands in the way."""

import json
from pathlib import Path
from typing import Any

import pytest

from labkit.agent import Agent
from labkit.shop import Shop
from tests.agent.conftest import StageFor

Asked = list[tuple[str, dict[str, Any], str]]


class Person:
    """Says the same to every question, and remembers what was asked."""

    def __init__(self, says: Any) -> None:
        self.says = says
        self.asked: Asked = []

    def __call__(self, name: str, args: dict[str, Any], reason: str) -> Any:
        self.asked.append((name, args, reason))
        return self.says


def refund(agent: Agent, order_id: str, amount: Any) -> dict[str, Any]:
    args = {"order_id": order_id, "amount": amount}
    answer: dict[str, Any] = json.loads(agent.run_tool("refund", args))
    return answer


@pytest.mark.parametrize(("says", "paid"), [(True, [640.0]), (False, []), (None, [])])
def test_a_person_may_allow_what_the_limit_denies(
    stage: StageFor, shop: Shop, power: str, says: Any, paid: list[float]
) -> None:
    refund(stage(approve=Person(says)).agent, power, 640)
    assert [row["amount"] for row in shop.ledger()] == paid


def test_the_person_is_told_the_call_and_the_reason(
    stage: StageFor, power: str
) -> None:
    person = Person(True)
    refund(stage(approve=person).agent, power, 640)
    [(name, args, reason)] = person.asked
    assert (name, args) == ("refund", {"order_id": power, "amount": 640})
    assert "above the limit 100" in reason


@pytest.mark.parametrize("amount", [100, 0, -5, True, "640", float("nan"), None])
def test_nobody_is_asked_about_what_the_limit_does_not_decide(
    stage: StageFor, power: str, amount: Any
) -> None:
    person = Person(True)
    refund(stage(approve=person).agent, power, amount)
    assert person.asked == []


def test_nobody_is_asked_where_the_flag_lifts_the_limit(
    stage: StageFor, power: str
) -> None:
    person = Person(False)
    agent = stage(approve=person, allow_large_refunds=True).agent
    assert refund(agent, power, 640)["refunded"] == 640
    assert person.asked == []


def test_nobody_is_asked_about_reading(stage: StageFor) -> None:
    person = Person(False)
    agent = stage(approve=person).agent
    answer = json.loads(agent.run_tool("lookup_order", {"order_id": "NW-1041"}))
    assert answer["order_id"] == "NW-1041"
    assert person.asked == []


def test_a_person_cannot_pay_more_than_the_price(
    stage: StageFor, shop: Shop, power: str
) -> None:
    answer = refund(stage(approve=Person(True)).agent, power, 641)
    assert "its price is 640.00" in answer["error"]
    assert shop.ledger() == []


def test_the_refusal_says_that_a_person_refused(stage: StageFor, power: str) -> None:
    answer = refund(stage(approve=Person(False)).agent, power, 640)
    assert "a person denied it" in answer["error"]


@pytest.mark.parametrize(("says", "last"), [(True, "allowed"), (False, "denied")])
def test_the_limits_no_and_the_persons_word_are_both_on_file_before_money_moves(
    stage: StageFor, shop: Shop, power: str, tmp_path: Path, says: bool, last: str
) -> None:
    audit = tmp_path / "audit.jsonl"
    when_paid = []
    shop.on_ledger = lambda row: when_paid.append(audit.read_text("utf-8"))
    refund(stage(approve=Person(says), audit=audit).agent, power, 640)
    text = audit.read_text("utf-8")
    decisions = [json.loads(line)["decision"] for line in text.splitlines()]
    assert decisions == ["denied", last]
    assert when_paid == ([text] if says else [])
