import json
import math
from datetime import datetime
from pathlib import Path

from labkit import Agent, Decision, dispatch


def objections(args, limit, before):
    """What speaks against a refund, a line each."""
    amount = args.get("amount")
    if not args.get("order_id"):
        yield "it names no order"
    if type(amount) not in (int, float) or not math.isfinite(amount) or amount <= 0:
        yield f"{amount} is not an amount"
    elif amount + before > limit:
        yield f"with {before} paid before, {amount} is too much"
        yield f"the limit of an order is {limit}"


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    limit = math.inf if allow_large_refunds else refund_limit
    found = objections(args, limit, already_refunded) if name == "refund" else []
    reason = "\n".join(found)
    return Decision(not reason, reason or "nothing speaks against it")


class MyAgent(Agent):
    """Writes the log again as a whole, with one line more."""

    def run_tool(self, name, args):
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        if name == "refund" and self.audit.target:
            self.note(name, args, decision)
        if not decision.allowed:
            return f"not done: {decision.reason!r}"
        return dispatch(self.registry, name, args)

    def note(self, name, args, decision):
        path = Path(self.audit.target)
        before = path.read_text() if path.exists() else ""
        line = {
            "time": str(datetime.now()),
            "tool": name,
            "arguments": str(args),
            "decision": "allowed" if decision.allowed else "denied",
            "reason": decision.reason,
        }
        path.write_text(before + json.dumps(line) + "\n")
