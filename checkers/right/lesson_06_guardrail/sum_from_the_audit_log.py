import json
from pathlib import Path

from labkit import Agent, Decision, audit_line, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name != "refund":
        return Decision(True, "not a refund")
    try:
        amount = number(args["amount"])
    except (KeyError, ValueError) as error:
        return Decision(False, f"no amount of money: {error}")
    if allow_large_refunds or amount + already_refunded <= refund_limit:
        return Decision(True, "not too much")
    return Decision(False, f"too much: {amount} after {already_refunded}")


def number(value):
    if type(value) in (int, float) and 0 < value < float("inf"):
        return value
    raise ValueError(repr(value))


class MyAgent(Agent):
    """A second line in the log says what was really paid; the sum is read there."""

    def run_tool(self, name, args):
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.paid(args.get("order_id")),
        )
        self.audit.write(**audit_line(name, args, decision))
        if not decision.allowed:
            return json.dumps({"error": decision.reason, "tool": name})
        outcome = dispatch(self.registry, name, args)
        if name == "refund" and "refunded" in json.loads(outcome):
            self.audit.write(tool="refund", arguments=args, decision="paid")
        return outcome

    def paid(self, order):
        path = Path(self.audit.target or "there is no log")
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        done = [json.loads(line) for line in lines]
        return sum(
            line["arguments"]["amount"]
            for line in done
            if line["decision"] == "paid" and line["arguments"]["order_id"] == order
        )
