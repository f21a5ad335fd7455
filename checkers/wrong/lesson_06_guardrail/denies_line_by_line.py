"""fails: takes_only_an_amount_of_money"""

import json

from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "no money moves")
    amount = args.get("amount")
    if type(amount) not in (int, float):
        return Decision(False, "the amount must be a number")
    if amount <= 0:
        return Decision(False, "the amount must be above zero")
    if amount + already_refunded > refund_limit and not allow_large_refunds:
        return Decision(False, f"{amount} is above the limit of {refund_limit}")
    return Decision(True, "within the limit")


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
