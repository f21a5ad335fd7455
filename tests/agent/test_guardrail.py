"""The policy: a refund passes within the limit, and everything else passes."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.agent import Decision, policy
from tests.agent.turns import steady

NO_AMOUNTS = [
    float("nan"),
    float("inf"),
    float("-inf"),
    0,
    0.0,
    -0.01,
    -500,
    True,
    False,
    None,
    "50",
    "fifty",
    [50],
    {"value": 50},
    Decimal(50),
    10**400,
]
CENTS = st.integers(1, 200_00)


def decide(
    amount: Any, already: float = 0, limit: float = 100, flag: bool = False
) -> Any:
    return policy(
        "refund",
        {"order_id": "NW-1041", "amount": amount},
        refund_limit=limit,
        allow_large_refunds=flag,
        already_refunded=already,
    )


@pytest.mark.parametrize("amount", [0.01, 1, 99.99, 100, 100.0])
def test_an_amount_up_to_the_limit_itself_is_allowed(amount: float) -> None:
    assert decide(amount).allowed


@pytest.mark.parametrize("amount", [100.01, 101, 640, 1e9, 1e299])
def test_a_cent_more_than_the_limit_is_denied_with_the_limit_named(
    amount: float,
) -> None:
    decision = decide(amount)
    assert not decision.allowed
    assert "above the limit 100" in decision.reason


@pytest.mark.parametrize("flag", [False, True])
@pytest.mark.parametrize("amount", NO_AMOUNTS, ids=lambda amount: repr(amount)[:20])
def test_what_is_no_amount_is_denied_flag_or_no_flag(amount: Any, flag: bool) -> None:
    decision = decide(amount, flag=flag)
    assert not decision.allowed
    assert "is not an amount of money above zero" in decision.reason


def test_a_refund_without_an_amount_is_denied() -> None:
    decision = policy("refund", {}, refund_limit=100, allow_large_refunds=True)
    assert not decision.allowed


def test_an_order_has_got_nothing_back_unless_it_is_said() -> None:
    args = {"order_id": "NW-1041", "amount": 100}
    assert policy("refund", args, refund_limit=100, allow_large_refunds=False).allowed


def test_the_flag_lifts_the_limit() -> None:
    assert decide(640, flag=True).allowed


@pytest.mark.parametrize(
    "claim", [{"approved": True}, {"allow_large_refunds": True}, {"refund_limit": 999}]
)
def test_nothing_inside_the_arguments_moves_the_limit(claim: dict[str, Any]) -> None:
    args = {"order_id": "NW-1041", "amount": 640} | claim
    assert not policy(
        "refund", args, refund_limit=100, allow_large_refunds=False
    ).allowed


@pytest.mark.parametrize(
    ("already", "amount", "allowed"),
    [(60, 40, True), (60, 40.01, False), (100, 0.01, False), (99.9, 0.1, True)],
)
def test_what_the_order_already_got_back_counts(
    already: float, amount: float, allowed: bool
) -> None:
    assert decide(amount, already).allowed is allowed


@pytest.mark.parametrize(("limit", "already"), [(99.99, 0), (100, 0.01)])
def test_part_of_a_cent_is_above_the_limit(limit: float, already: float) -> None:
    assert not decide(99.995, already, limit).allowed


@steady
@given(CENTS, CENTS, CENTS)
def test_cents_are_compared_as_exactly_as_whole_numbers(
    amount: int, already: int, limit: int
) -> None:
    decision = decide(amount / 100, already / 100, limit / 100)
    assert decision.allowed is (amount + already <= limit)


@pytest.mark.parametrize(
    "name", ["lookup_order", "list_orders", "Refund", "", "refund "]
)
def test_every_other_call_is_allowed_whatever_its_arguments(name: str) -> None:
    args = {"amount": 10**6}
    assert policy(name, args, refund_limit=0, allow_large_refunds=False).allowed


def test_a_decision_cannot_be_changed_afterwards() -> None:
    decision = Decision(False, "above the limit")
    with pytest.raises(AttributeError):
        decision.allowed = True  # type: ignore[misc]
