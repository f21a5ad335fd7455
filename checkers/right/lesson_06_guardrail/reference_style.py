import json
from functools import partial

from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "not a refund")
    amount = args.get("amount")
    if type(amount) not in (int, float) or not 0 < amount < 1e12:
        return Decision(False, f"{amount!r} is no amount")
    total = amount + already_refunded
    if allow_large_refunds or total <= refund_limit:
        return Decision(True, "within the limit")
    return Decision(False, f"{total} is above {refund_limit}")


class MyAgent(Agent):
    def run_tool(self, name, args):
        already = self.refunded_so_far(args.get("order_id"))
        decide = partial(
            policy,
            name,
            args,
            refund_limit=self.refund_limit,
            already_refunded=already,
        )
        decision = decide(allow_large_refunds=self.allow_large_refunds)
        if name == "refund":
            self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed and decide(allow_large_refunds=True).allowed:
            decision = self.ask_a_person(name, args, decision)
        if not decision.allowed:
            return json.dumps({"error": decision.reason})
        return dispatch(self.registry, name, args)
