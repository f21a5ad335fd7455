"""The rule about money, in code and before the dispatcher."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Decision:
    """Whether a call may run, and why; the reason is written for the model to read."""

    allowed: bool
    reason: str


def policy(
    name: str,
    args: dict[str, Any],
    *,
    refund_limit: float,
    allow_large_refunds: bool,
    already_refunded: float = 0,
) -> Decision:
    """Whether this call may run. Everything may, except a refund above the limit.

    `already_refunded` is what the same order got back before; the limit counts it.
    `allow_large_refunds` lifts the limit and nothing else.
    """
    if name != "refund":
        return Decision(True, "not a refund")
    amount: Any = args.get("amount")
    # NaN and the infinities fail the comparison, and so does an int too big to add to.
    if type(amount) not in (int, float) or not 0 < amount < 1e300:
        return Decision(False, f"{amount!r} is not an amount of money above zero")
    # Sums of floats are off by a hair: 0.05 + 14.96 is more than 15.01.
    total = round(amount + already_refunded, 6)
    if total <= refund_limit or allow_large_refunds:
        return Decision(True, f"{total} of {refund_limit} for this order")
    return Decision(False, f"{total} for this order is above the limit {refund_limit}")
