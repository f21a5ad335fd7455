"""What a recorded conversation may say about the seeded shop, as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from labkit.shop.data import KNOWN_ID, POWER_UNIT, SMALL_CENTS, STATUSES

if TYPE_CHECKING:
    from labkit.shop.store import Shop

FIELDS = {
    "id": "order_id",
    "item": "item",
    "weight_kg": "weight_kg",
    "country": "country",
    "price": "price",
    "currency": "currency",
    "status": "status",
}


def facts(shop: Shop) -> dict[str, str]:
    """Placeholder → text, asked of the tools themselves, so that both always agree.

    A number is written as JSON writes the tool's value; `ship.cost` alone is written
    the way a person writes money, with two decimals.
    """
    orders = shop.list_orders()["orders"]
    parts = _parts(orders)
    known = {
        f"{part}.{short}": _text(order[field])
        for part, order in parts.items()
        for short, field in FIELDS.items()
    }
    return known | _postage(shop, parts["order"]) | _counts(orders)


def _parts(orders: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The orders that play a part in a conversation, by that part's name."""
    small, small2, *_ = (order for order in orders if _is_small(order))
    return {
        "order": next(order for order in orders if order["order_id"] == KNOWN_ID),
        "power": next(order for order in orders if order["item"] == POWER_UNIT),
        "small": small,
        "small2": small2,
    }


def _is_small(order: dict[str, Any]) -> bool:
    """True for a delivered order that may be refunded whole without being asked."""
    in_dollars = order["currency"] == "USD"
    cheap: bool = order["price"] < SMALL_CENTS / 100
    return in_dollars and cheap and order["status"] == "delivered"


def _postage(shop: Shop, order: dict[str, Any]) -> dict[str, str]:
    """The rate, the postage and the converted amounts of one order."""
    per_kg = shop.shipping_rate(order["country"])["price_per_kg"]
    cost = shop.calculator(f"{order['weight_kg']} * {per_kg}")["value"]
    euro = shop.convert_currency(order["price"], "USD", "EUR")
    pound = shop.convert_currency(order["price"], "USD", "GBP")
    cost_eur = shop.convert_currency(cost, "USD", "EUR")["amount"]
    return {
        "rate.country": order["country"],
        "rate.price_per_kg": _text(per_kg),
        "ship.cost": f"{cost:.2f}",
        "ship.cost_number": _text(cost),
        "ship.cost_eur": _text(cost_eur),
        "eur.rate": _text(euro["rate"]),
        "gbp.rate": _text(pound["rate"]),
        "order.price_eur": _text(euro["amount"]),
        "order.price_gbp": _text(pound["amount"]),
    }


def _counts(orders: list[dict[str, Any]]) -> dict[str, str]:
    """How many orders there are, in all and with each status."""
    each = [order["status"] for order in orders]
    counts = {f"orders.count_{status}": str(each.count(status)) for status in STATUSES}
    return {"orders.count": str(len(each)), **counts}


def _text(value: object) -> str:
    """Text as it is, a number as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value)
