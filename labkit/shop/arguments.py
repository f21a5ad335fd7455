"""What a tool of the shop accepts: order ids, amounts and known names."""

import re
from collections.abc import Iterable
from typing import TypeGuard

from labkit.faults import Fault, shown

MOST_MONEY = 1e9


def is_order_id(value: object) -> TypeGuard[str]:
    """True for text of an id's shape, whether or not there is such an order.

    Case and spaces count: two spellings of one id would be two orders to a policy
    that adds up refunds.
    """
    return isinstance(value, str) and bool(re.fullmatch("NW-[0-9]{4}", value))


def checked_amount(value: object) -> float:
    """`value` as a float, if it is a positive number of a size money can have."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    # nan and the infinities fail the comparison, so they need no test of their own
    if number and 0 < value <= MOST_MONEY:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise Fault(
        f"amount must be a number above zero and at most {MOST_MONEY:,.0f}, "
        f"not {shown(value)}"
    )


def checked_cents(value: object) -> int:
    """The amount in whole cents, at least one."""
    cents = round(checked_amount(value) * 100)
    if cents == 0:
        raise Fault(f"amount must be 0.01 or more, not {shown(value)}")
    return cents


def known_name(argument: str, value: object, known: Iterable[str]) -> str:
    """The entry of `known` that `value` spells, upper and lower case being the same."""
    names = {entry.casefold(): entry for entry in known}
    if isinstance(value, str) and value.casefold() in names:
        return names[value.casefold()]
    valid = ", ".join(names.values())
    raise Fault(f"unknown {argument} {shown(value)}; it must be one of {valid}")
