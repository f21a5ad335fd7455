"""The five tools that read, and the database behind them."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.shop import Shop

WRONG_TYPES = [None, 5, 2.5, True, [], ["NW-1041"], {"id": "NW-1041"}, b"NW-1041"]
NOT_AMOUNTS = [
    "99",
    None,
    True,
    [5],
    0,
    -1,
    -0.0,
    float("nan"),
    float("inf"),
    float("-inf"),
    10**400,
    pytest.param(10**5000, id="five thousand digits"),
    1e300,
]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=4,
)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with closing(Shop()) as shop:
        yield shop


def error_of(answer: dict[str, Any]) -> str:
    assert list(answer) == ["error"]
    assert answer["error"]
    return str(answer["error"])


def test_an_order_has_its_seven_fields(shop: Shop) -> None:
    fields = "order_id, item, weight_kg, country, price, currency, status"
    assert ", ".join(shop.lookup_order("NW-1041")) == fields


@pytest.mark.parametrize(
    "order_id",
    ["NW-9999", "nw-1041", "NW-1041 ", "1041", "", "NW-1041\n", "\ud800", "\0"],
)
def test_an_order_is_found_by_its_exact_id_only(shop: Shop, order_id: Any) -> None:
    assert "order id looks like NW-1041" in error_of(shop.lookup_order(order_id))


@pytest.mark.parametrize("order_id", WRONG_TYPES)
def test_an_id_that_is_no_text_is_quoted_in_the_error(
    shop: Shop, order_id: Any
) -> None:
    assert repr(order_id) in error_of(shop.lookup_order(order_id))


def test_a_long_id_is_not_repeated_in_full(shop: Shop) -> None:
    assert len(error_of(shop.lookup_order("x" * 100_000))) < 300


def test_filters_narrow_the_list_and_can_be_combined(shop: Shop) -> None:
    everything = shop.list_orders()["orders"]
    assert everything == sorted(everything, key=lambda order: order["order_id"])
    country = everything[0]["country"]
    there = shop.list_orders(country=country)["orders"]
    assert there == [order for order in everything if order["country"] == country]
    both = shop.list_orders(country=country, status="delivered")["orders"]
    assert both == [order for order in there if order["status"] == "delivered"]


def test_names_are_found_in_upper_and_lower_case(shop: Shop) -> None:
    assert shop.list_orders("GERMANY", "Shipped") == shop.list_orders(
        "Germany", "shipped"
    )
    assert shop.shipping_rate("gErMaNy") == shop.shipping_rate("Germany")
    assert shop.convert_currency(5, "usd", "Eur") == shop.convert_currency(
        5, "USD", "EUR"
    )


@pytest.mark.parametrize("value", ["Atlantis", "", "DE", "\ud800", *WRONG_TYPES[1:]])
def test_an_unknown_filter_value_is_answered_with_the_known_ones(
    shop: Shop, value: Any
) -> None:
    assert "Germany" in error_of(shop.list_orders(country=value))
    assert "returned" in error_of(shop.list_orders(status=value))


@pytest.mark.parametrize("country", ["Atlantis", "", "DE", *WRONG_TYPES])
def test_a_country_without_a_rate_is_answered_with_those_that_have_one(
    shop: Shop, country: Any
) -> None:
    assert "Norway" in error_of(shop.shipping_rate(country))


def test_a_rate_has_its_three_fields(shop: Shop) -> None:
    answer = shop.shipping_rate("Norway")
    assert list(answer) == ["country", "price_per_kg", "currency"]
    assert (answer["country"], answer["currency"]) == ("Norway", "USD")


@pytest.mark.parametrize("pair", [("USD", "EUR"), ("SEK", "USD"), ("GBP", "CHF")])
def test_a_converted_amount_is_the_amount_times_the_rate_shown(
    shop: Shop, pair: tuple[str, str]
) -> None:
    answer = shop.convert_currency(1234.5, *pair)
    assert list(answer) == ["amount", "currency", "rate"]
    assert answer["amount"] == round(1234.5 * answer["rate"], 2)
    assert answer["rate"] == round(answer["rate"], 4)
    assert answer["currency"] == pair[1]


def test_a_currency_is_worth_itself(shop: Shop) -> None:
    same = {"amount": 19.99, "currency": "CAD", "rate": 1.0}
    assert shop.convert_currency(19.99, "CAD", "CAD") == same


@pytest.mark.parametrize("code", ["XYZ", "", "euro", *WRONG_TYPES])
def test_an_unknown_currency_names_the_argument_and_the_known_codes(
    shop: Shop, code: Any
) -> None:
    first = error_of(shop.convert_currency(5, code, "EUR"))
    second = error_of(shop.convert_currency(5, "USD", code))
    assert "from_currency" in first
    assert "to_currency" in second
    assert "SEK" in first


@pytest.mark.parametrize("amount", NOT_AMOUNTS)
def test_what_is_no_amount_of_money_is_not_converted(shop: Shop, amount: Any) -> None:
    told = error_of(shop.convert_currency(amount, "USD", "EUR"))
    assert "amount must be a number above zero" in told


def test_the_calculator_answers_with_a_value_or_an_error(shop: Shop) -> None:
    assert shop.calculator("2.4 * 16.5") == {"value": 39.6}
    assert "print" in error_of(shop.calculator("print(1)"))
    assert "None" in error_of(shop.functions["calculator"](None))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("lookup_order", {}),
        ("lookup_order", {"id": "NW-1041"}),
        ("list_orders", {"nation": "Norway"}),
        ("refund", {"order_id": "NW-1041"}),
        ("refund", {"order_id": "NW-1041", "amount": 5, "approved": True}),
    ],
)
def test_arguments_that_do_not_fit_stay_pythons_own_type_error(
    shop: Shop, name: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match=name):
        shop.functions[name](**arguments)
    assert shop.ledger() == []


@settings(deadline=None, max_examples=50)
@given(st.lists(JSON_VALUES, min_size=3, max_size=3))
def test_no_value_that_json_can_carry_makes_a_tool_raise(values: list[Any]) -> None:
    with closing(Shop()) as shop:
        one, two, three = values
        answers = [
            shop.lookup_order(one),
            shop.list_orders(one, two),
            shop.shipping_rate(one),
            shop.convert_currency(one, two, three),
            shop.calculator(one),
            shop.refund(one, two),
            shop.refund("NW-1041", one),
        ]
        assert all(json.dumps(answer, allow_nan=False) for answer in answers)
        assert isinstance(shop.refunded_so_far(one), float)


def test_many_threads_can_read_at_once(shop: Shop) -> None:
    with ThreadPoolExecutor(8) as pool:
        rates = list(pool.map(lambda _: shop.shipping_rate("Norway"), range(100)))
        orders = list(pool.map(lambda _: shop.lookup_order("NW-1041"), range(100)))
    assert rates == [shop.shipping_rate("Norway")] * 100
    assert orders == [shop.lookup_order("NW-1041")] * 100


def test_a_file_keeps_its_orders_and_its_ledger(tmp_path: Path) -> None:
    path = str(tmp_path / "northwind.db")
    with closing(Shop(7, path)) as shop:
        shop.refund("NW-1041", 12.5)
        orders, ledger = shop.list_orders(), shop.ledger()
    with closing(Shop(8, path)) as shop:
        assert shop.list_orders() == orders
        assert shop.ledger() == ledger == [{"order_id": "NW-1041", "amount": 12.5}]
        assert shop.facts()["orders.count"] == "120"


def test_two_shops_on_one_new_file_share_it(tmp_path: Path) -> None:
    path = str(tmp_path / "northwind.db")
    with closing(Shop(7, path)) as one, closing(Shop(8, path)) as other:
        assert one.list_orders() == other.list_orders()
        one.refund("NW-1041", 5)
        assert other.refunded_so_far("NW-1041") == 5.0


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be read as one\n" * 20)
    with pytest.raises(sqlite3.DatabaseError):
        Shop(0, str(path))
    assert path.read_text().startswith("not a database")


def test_shops_in_memory_do_not_know_each_other() -> None:
    with closing(Shop()) as one, closing(Shop()) as other:
        one.refund("NW-1041", 5)
        assert other.ledger() == []
