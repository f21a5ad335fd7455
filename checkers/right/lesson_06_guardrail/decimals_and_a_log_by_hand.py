import json
import time
from decimal import Decimal

from labkit import Agent, Decision


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """Sums in decimals, so that a cent is a cent."""
    if name != "refund":
        return Decision(True, "")
    amount = args.get("amount")
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        return Decision(False, "amount: a number, please")
    exact = Decimal(str(amount))
    if not exact.is_finite() or exact <= 0:
        return Decision(False, "amount: above zero, please")
    total = exact + Decimal(str(already_refunded))
    within = total <= Decimal(str(refund_limit))
    words = "up to" if within else "more than"
    return Decision(within or allow_large_refunds, f"{total} is {words} {refund_limit}")


class MyAgent(Agent):
    """Writes the log itself, with the time in seconds; never asks a person."""

    def run_tool(self, name, args):
        verdict = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        if name == "refund" and self.audit.target is not None:
            line = {
                "time": time.time(),
                "tool": name,
                "arguments": json.dumps(args),
                "decision": ["denied", "allowed"][bool(verdict.allowed)],
                "reason": verdict.reason or "none",
                "run_by": "labkit",
            }
            with open(self.audit.target, "a", encoding="utf-8") as file:
                print(json.dumps(line, ensure_ascii=False), file=file)
        if verdict.allowed:
            return json.dumps(self.registry[name](**args), indent=1)
        return f"No: {verdict.reason}"
