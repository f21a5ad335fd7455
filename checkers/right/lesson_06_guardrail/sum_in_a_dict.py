import json
import math

from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    match name, args:
        case "refund", {"amount": bool()}:
            return Decision(False, "True and False are no amounts")
        case "refund", {"amount": int() | float() as amount}:
            return judged(amount, already_refunded, refund_limit, allow_large_refunds)
        case "refund", _:
            return Decision(False, "there is no amount in it")
    return Decision(True, "it only reads")


def judged(amount, before, limit, large):
    if not math.isfinite(amount) or amount <= 0:
        return Decision(False, f"{amount} cannot be paid")
    if amount <= limit - before or large:
        return Decision(allowed=True, reason="fine")
    return Decision(allowed=False, reason=f"only {limit - before} are left")


class MyAgent(Agent):
    """Remembers itself what was paid; reads are let through before any question."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.paid = {}

    def run_tool(self, name, args):
        if name != "refund":
            return dispatch(self.registry, name, args)
        order = str(args.get("order_id"))
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.paid.get(order, 0),
        )
        self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed:
            return json.dumps({"denied": True, "why": decision.reason})
        outcome = dispatch(self.registry, name, args)
        if "refunded" in json.loads(outcome):
            self.paid[order] = self.paid.get(order, 0) + args["amount"]
        return outcome
