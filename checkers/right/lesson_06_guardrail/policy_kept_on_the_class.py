import json

from labkit import Agent, Decision, audit_line, dispatch

ALLOWED = Decision(True, "nothing against it")


class Rules:
    """Rules as a chain: each says no, or hands on to the next."""

    def __init__(self, limit, large, before):
        self.limit, self.large, self.before = limit, large, before

    def decide(self, name, args, rules=("kind", "size", "sum")):
        if name != "refund" or not rules:
            return ALLOWED
        first, *others = rules
        said = getattr(self, first)(args.get("amount"))
        return Decision(False, said) if said else self.decide(name, args, others)

    def kind(self, amount):
        return "" if type(amount) in (int, float) else f"{amount!r}: not a number"

    def size(self, amount):
        return "" if 0 < amount < float("inf") else f"{amount!r}: not above zero"

    def sum(self, amount):
        whole = amount + self.before
        return "" if whole <= self.limit or self.large else f"{whole} > {self.limit}"


def policy(name, args, **given):
    return Rules(
        given["refund_limit"],
        given["allow_large_refunds"],
        given.get("already_refunded", 0),
    ).decide(name, args)


class Guard(Agent):
    def run_tool(self, name, args):
        sure = policy(name, args, **self.given(args), allow_large_refunds=True)
        decision = policy(
            name, args, **self.given(args), allow_large_refunds=self.allow_large_refunds
        )
        if name == "refund":
            self.audit.write(**audit_line(name, dict(args), decision))
        if sure.allowed and not decision.allowed:
            decision = self.ask_a_person(name, args, decision)
        if decision.allowed:
            return dispatch(self.registry, name, args)
        return json.dumps({"error": "denied", "because": decision.reason})

    def given(self, args):
        so_far = self.refunded_so_far(args.get("order_id"))
        return {"refund_limit": self.refund_limit, "already_refunded": so_far}


class MyAgent(Guard):
    pass
