"""Money leaves the shop once, within the price, and is written down."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.shop import Shop


@pytest.fixture
def shop() -> Iterator[Shop]:
    with closing(Shop()) as shop:
        yield shop


@pytest.fixture
def power(shop: Shop) -> str:
    return shop.facts()["power.id"]


def test_a_refund_is_answered_and_entered_in_the_ledger(shop: Shop, power: str) -> None:
    answer = shop.refund(power, 40)
    assert answer == {"refunded": 40.0, "order_id": power, "currency": "USD"}
    assert shop.ledger() == [{"order_id": power, "amount": 40.0}]


def test_the_ledger_keeps_the_order_of_refunds(shop: Shop, power: str) -> None:
    shop.refund(power, 2)
    shop.refund("NW-1041", 1)
    shop.refund(power, 3)
    assert [row["amount"] for row in shop.ledger()] == [2.0, 1.0, 3.0]


def test_the_price_itself_is_within_and_a_cent_more_is_not(
    shop: Shop, power: str
) -> None:
    assert "640.00" in shop.refund(power, 640.01)["error"]
    assert shop.refund(power, 640)["refunded"] == 640.0
    assert "at most 0.00 is left" in shop.refund(power, 0.01)["error"]
    assert len(shop.ledger()) == 1


def test_refunds_of_one_order_add_up_and_leave_others_alone(
    shop: Shop, power: str
) -> None:
    shop.refund(power, 600)
    assert "at most 40.00 is left" in shop.refund(power, 41)["error"]
    assert shop.refund("NW-1041", 41)["refunded"] == 41.0
    assert shop.refunded_so_far(power) == 600.0
    assert shop.refunded_so_far("NW-1041") == 41.0


@pytest.mark.parametrize(
    "order_id", ["NW-9999", "nw-1041", " NW-1041", "", 5, None, []]
)
def test_an_unknown_order_gets_nothing_back(shop: Shop, order_id: Any) -> None:
    assert "there is no order" in shop.refund(order_id, 5)["error"]
    assert shop.refunded_so_far(order_id) == 0.0
    assert shop.ledger() == []


@pytest.mark.parametrize(
    "amount",
    ["99", True, None, [5], 0, -5, 0.004, 1e-9, float("nan"), float("inf"), 10**400],
)
def test_what_is_no_amount_moves_no_money(shop: Shop, power: str, amount: Any) -> None:
    assert "amount must be" in shop.refund(power, amount)["error"]
    assert shop.ledger() == []


def test_an_amount_is_paid_in_whole_cents(shop: Shop, power: str) -> None:
    assert shop.refund(power, 33.333)["refunded"] == 33.33
    assert shop.refund(power, 0.1 + 0.2)["refunded"] == 0.3
    assert shop.refunded_so_far(power) == 33.63


def test_whoever_listens_is_told_after_the_entry_was_committed(tmp_path: Path) -> None:
    path = str(tmp_path / "northwind.db")
    seen = []
    with closing(Shop(0, path)) as reader:

        def listen(row: dict[str, Any]) -> None:
            seen.append((row, reader.ledger()))

        with closing(Shop(0, path, on_ledger=listen)) as shop:
            shop.refund("NW-1041", 5)
            shop.refund("NW-1041", -5)
    row = {"order_id": "NW-1041", "amount": 5.0}
    assert seen == [(row, [row])]


def test_a_listener_may_ask_the_shop_again() -> None:
    sums = []

    def listen(row: dict[str, Any]) -> None:
        sums.append(northwind.refunded_so_far(row["order_id"]))

    with closing(Shop(on_ledger=listen)) as northwind:
        northwind.refund("NW-1041", 5)
        northwind.refund("NW-1041", 6)
    assert sums == [5.0, 11.0]


def test_refunds_at_the_same_time_stay_within_the_price(shop: Shop, power: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: shop.refund(power, 100), range(40)))
    assert sum("refunded" in answer for answer in answers) == 6
    assert [row["amount"] for row in shop.ledger()] == [100.0] * 6


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(0.01, 200), max_size=30))
def test_no_sequence_of_refunds_pays_more_than_the_price(amounts: list[float]) -> None:
    with closing(Shop()) as shop:
        power = shop.facts()["power.id"]
        paid = [shop.refund(power, amount).get("refunded", 0.0) for amount in amounts]
        assert shop.refunded_so_far(power) == pytest.approx(sum(paid))
        assert round(shop.refunded_so_far(power), 2) <= 640
