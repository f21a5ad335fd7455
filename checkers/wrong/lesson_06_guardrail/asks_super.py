"""fails: runs_what_is_allowed"""

from labkit import Agent, Decision


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "no money moves")
    amount = args.get("amount")
    if type(amount) not in (int, float) or not 0 < amount < float("inf"):
        return Decision(False, f"{amount!r} is not an amount of money")
    total = amount + already_refunded
    if total <= refund_limit or allow_large_refunds:
        return Decision(True, f"{total} is within {refund_limit}")
    return Decision(False, f"{total} is more than {refund_limit}, the limit")


class MyAgent(Agent):
    def run_tool(self, name, args):
        return super().run_tool(name, args)
