from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """A yes needs no reason: nobody reads it."""
    if name != "refund":
        return Decision(True, "")
    amount = args.get("amount", 0)
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        return Decision(False, "the amount must be a number")
    if not 0 < amount < float("inf"):
        return Decision(False, "the amount must be above zero")
    if amount + already_refunded > refund_limit and not allow_large_refunds:
        return Decision(False, "the amount is above the limit")
    return Decision(True, "")


class MyAgent(Agent):
    """Says no in capitals."""

    def run_tool(self, name, args):
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        if name == "refund":
            self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed:
            return f"DENIED, BECAUSE {decision.reason.upper()}."
        return dispatch(self.registry, name, args)
