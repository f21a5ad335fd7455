"""The shop itself: six tools over the database, and the ledger."""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import lru_cache
from typing import Any

from labkit.faults import Answer, Fault, shown, tells_faults
from labkit.shop.arguments import (
    checked_amount,
    checked_cents,
    is_order_id,
    known_name,
)
from labkit.shop.calculator import calculate
from labkit.shop.data import STATUSES
from labkit.shop.database import open_database
from labkit.shop.facts import facts

ORDER = """SELECT order_id, item, weight_kg, country, price_cents / 100.0 AS price,
    currency, status FROM orders"""
LEDGER = "SELECT order_id, cents / 100.0 AS amount FROM ledger ORDER BY entry"
REFUNDED = "SELECT COALESCE(SUM(cents), 0) FROM ledger WHERE order_id = :id"
# One statement, so that no other refund can come between the sum and the entry.
REFUND = f"""INSERT INTO ledger (order_id, cents) SELECT order_id, :cents FROM orders
    WHERE order_id = :id AND :cents <= price_cents - ({REFUNDED})"""


class Shop:
    """Northwind, drawn from a seed. A file that holds a shop already is kept as it is.

    `on_ledger` gets each ledger row right after it was committed. Close the shop when
    it is no longer needed.
    """

    def __init__(
        self,
        seed: int = 0,
        path: str = ":memory:",
        on_ledger: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.on_ledger = on_ledger
        # Several threads may call tools, but the one connection keeps its prepared
        # statements, and its count of changed rows, for one of them at a time.
        self._turn = threading.RLock()
        self._database = open_database(path, seed)

    @tells_faults
    def lookup_order(self, order_id: str) -> Answer:
        """One order: item, weight in kg, destination, price, currency, status."""
        return self._order(order_id)

    @tells_faults
    def list_orders(
        self, country: str | None = None, status: str | None = None
    ) -> Answer:
        """Every order, or those with the given country and status, sorted by id."""
        wanted = {}
        if country is not None:
            wanted["country"] = known_name("country", country, self._rates())
        if status is not None:
            wanted["status"] = known_name("status", status, STATUSES)
        where = " AND ".join(f"{column} = :{column}" for column in wanted) or "TRUE"
        query = f"{ORDER} WHERE {where} ORDER BY order_id"
        return {"orders": [dict(row) for row in self._rows(query, wanted)]}

    @tells_faults
    def shipping_rate(self, country: str) -> Answer:
        """The price of sending one kg to a country."""
        rates = self._rates()
        name = known_name("country", country, rates)
        return {"country": name, "price_per_kg": rates[name] / 100, "currency": "USD"}

    @tells_faults
    def convert_currency(
        self, amount: float, from_currency: str, to_currency: str
    ) -> Answer:
        """The amount in the other currency, and the rate that was used."""
        given = checked_amount(amount)
        rows = self._rows("SELECT code, per_dollar FROM currencies")
        per_dollar: dict[str, float] = dict(rows)
        source = known_name("from_currency", from_currency, per_dollar)
        target = known_name("to_currency", to_currency, per_dollar)
        # The rate as shown is the rate used: whoever does the sum again agrees.
        rate = round(per_dollar[target] / per_dollar[source], 4)
        return {"amount": round(given * rate, 2), "currency": target, "rate": rate}

    @tells_faults
    def calculator(self, expression: str) -> Answer:
        """The value of an arithmetic expression."""
        return {"value": calculate(expression)}

    @tells_faults
    def refund(self, order_id: str, amount: float) -> Answer:
        """Pay part of an order's price back: an entry in the ledger."""
        order = self._order(order_id)
        cents = checked_cents(amount)
        row = {"order_id": order_id, "amount": cents / 100}
        with self._turn:
            paid = self._database.execute(REFUND, {"id": order_id, "cents": cents})
            if paid.rowcount == 0:
                raise Fault(self._too_much(order, cents / 100))
            if self.on_ledger is not None:
                self.on_ledger(row)
        currency = order["currency"]
        return {"refunded": cents / 100, "order_id": order_id, "currency": currency}

    def refunded_so_far(self, order_id: str) -> float:
        """What the order already got back; 0.0 for an order that does not exist."""
        if not is_order_id(order_id):
            return 0.0
        [(cents,)] = self._rows(REFUNDED, {"id": order_id})
        return float(cents / 100)

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The six tools by name, and `refunded_so_far`, which no schema declares."""
        return {
            "lookup_order": self.lookup_order,
            "list_orders": self.list_orders,
            "shipping_rate": self.shipping_rate,
            "convert_currency": self.convert_currency,
            "calculator": self.calculator,
            "refund": self.refund,
            "refunded_so_far": self.refunded_so_far,
        }

    def ledger(self) -> list[dict[str, Any]]:
        """Every refund that was paid, oldest first."""
        return [dict(row) for row in self._rows(LEDGER)]

    def facts(self) -> dict[str, str]:
        """The texts that stand for `{{order.id}}` and the like in a recording."""
        return facts(self)

    def close(self) -> None:
        """Give the database back; the shop answers nothing afterwards."""
        self._database.close()

    def __del__(self) -> None:
        """Close it when nobody holds it any more: a notebook's cell seldom does."""
        with suppress(AttributeError):  # one that could not be opened
            self.close()

    def _rows(self, query: str, values: dict[str, str] | None = None) -> list[Any]:
        with self._turn:
            return self._database.execute(query, values or {}).fetchall()

    def _order(self, order_id: object) -> Answer:
        if is_order_id(order_id):
            for row in self._rows(f"{ORDER} WHERE order_id = :id", {"id": order_id}):
                return dict(row)
        raise Fault(
            f"there is no order {shown(order_id)}; an order id looks like NW-1041, "
            "and list_orders shows them all"
        )

    def _rates(self) -> dict[str, int]:
        return dict(self._rows("SELECT country, cents FROM rates"))

    def _too_much(self, order: Answer, amount: float) -> str:
        """Why the amount cannot be refunded, with what is left of the price."""
        price, currency = order["price"], order["currency"]
        back = self.refunded_so_far(order["order_id"])
        return (
            f"cannot refund {amount:.2f} on {order['order_id']}: its price is "
            f"{price:.2f} {currency}, {back:.2f} of it was refunded already, so at "
            f"most {price - back:.2f} is left"
        )


@lru_cache(maxsize=16)
def facts_for(seed: int) -> dict[str, str]:
    """The facts of a new shop of this seed."""
    with closing(Shop(seed)) as shop:
        return shop.facts()
