from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "anybody may look")
    faults = [
        fault
        for fault, found in {
            "the amount is no number": type(args.get("amount")) not in (int, float),
            "the amount is not above zero": not is_above_zero(args.get("amount")),
        }.items()
        if found
    ]
    if faults:
        return Decision(False, ", ".join(faults))
    if args["amount"] + already_refunded > refund_limit and not allow_large_refunds:
        return Decision(False, over(refund_limit))
    return Decision(True, "paid without a question")


def is_above_zero(amount):
    try:
        return 0 < amount < float("inf")
    except TypeError:
        return False


def over(limit):
    return f"over the limit of {limit}"


class MyAgent(Agent):
    """Asks the person itself, and writes one line once everybody has spoken."""

    def run_tool(self, name, args):
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        only_the_limit = decision.reason == over(self.refund_limit)
        if only_the_limit and self.approve and self.approve(name, args, "more?"):
            decision = Decision(True, "a person said yes")
        if name == "refund":
            self.audit.write(**audit_line(name, args, decision))
        if decision.allowed:
            return dispatch(self.registry, name, args)
        return "Not done. " + decision.reason
