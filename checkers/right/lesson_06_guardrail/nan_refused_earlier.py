import json
from datetime import datetime
from pathlib import Path

from labkit import Agent, Decision, dispatch


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """Counts down what is left; what is no amount leaves nothing to compare."""
    if name != "refund":
        return Decision(True, "free")
    amount = args.get("amount")
    if not (type(amount) in {int, float} and amount > 0 and amount - amount == 0):
        return Decision(False, "that is no amount of money: " + repr(amount))
    left = refund_limit - already_refunded
    if amount <= left or allow_large_refunds:
        return Decision(True, "free")
    return Decision(False, f"{amount} asked for, {left} left")


def no_constant(text):
    raise ValueError(f"{text} is no number")


class MyAgent(Agent):
    """NaN is refused before the policy is asked; the log is written as text."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=no_constant)
            return self.run_tool(call.name, dict(args))
        except Exception as error:
            return json.dumps({"error": str(error) or repr(error)})

    def run_tool(self, name, args):
        decision = policy(
            name,
            args,
            refund_limit=self.refund_limit,
            allow_large_refunds=self.allow_large_refunds,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        self.note(name, args, decision)
        if not decision.allowed:
            return json.dumps({"status": "denied", "reason": decision.reason})
        return dispatch(self.registry, name, args)

    def note(self, name, args, decision):
        if self.audit.target is None:
            return
        log = Path(self.audit.target)
        before = log.read_text() if log.exists() else ""
        line = {
            "time": datetime.now().isoformat(),
            "tool": name,
            "arguments": str(args),
            "decision": "allowed" if decision.allowed else "denied",
            "reason": decision.reason,
        }
        log.write_text(before + json.dumps(line, sort_keys=True) + "\n")
