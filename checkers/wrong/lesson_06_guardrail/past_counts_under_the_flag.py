"""fails: counts_what_went_before"""

import json

from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "no money moves")
    amount = args.get("amount")
    if type(amount) not in (int, float) or not 0 < amount < float("inf"):
        return Decision(False, f"{amount!r} is not an amount of money")
    total = already_refunded
    if not allow_large_refunds:
        total += amount
    if total <= refund_limit:
        return Decision(True, f"{total} is within {refund_limit}")
    return Decision(False, f"{total} is more than {refund_limit}, the limit")


class MyAgent(Agent):
    def run_tool(self, name, args):
        is_refund = name == "refund"
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        if is_refund:
            self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed:
            return json.dumps({"error": f"denied: {decision.reason}"})
        return dispatch(self.registry, name, args)
