import json
from typing import NamedTuple

from labkit import Agent, audit_line, dispatch


class Decision(NamedTuple):
    allowed: bool
    reason: str
    rule: str = "none"


def no_refund(name, args, limit, large, before):
    if name != "refund":
        return Decision(True, "no refund", "no_refund")


def no_money(name, args, limit, large, before):
    amount = args.get("amount")
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        return Decision(False, f"{type(amount).__name__} instead of a number")
    if amount != amount or amount in (float("inf"), float("-inf")) or amount <= 0:
        return Decision(False, f"{amount} is not an amount", "no_money")


def too_large(name, args, limit, large, before):
    if not large and round(args["amount"] + before, 2) > limit:
        return Decision(False, f"é: {args['amount']} + {before} > {limit}", "too_large")


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """The first rule that has something to say decides."""
    given = (name, args, refund_limit, allow_large_refunds, already_refunded)
    for rule in (no_refund, no_money, too_large):
        if decision := rule(*given):
            return decision
    return Decision(True, "no rule against it")


class MyAgent(Agent):
    def run_tool(self, name, args):
        before = self.refunded_so_far(args.get("order_id"))
        flags = {"refund_limit": self.refund_limit, "already_refunded": before}
        decision = policy(
            name, args, allow_large_refunds=self.allow_large_refunds, **flags
        )
        if name == "refund":
            self.audit.write(**audit_line(name, args, decision), rule=decision.rule)
        if getattr(decision, "rule", None) == "too_large":
            decision = self.ask_a_person(name, args, decision)
        if not decision.allowed:
            return json.dumps({"error": {"code": "denied", "text": decision.reason}})
        return dispatch(self.registry, name, args)
