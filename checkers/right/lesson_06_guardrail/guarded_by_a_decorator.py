import functools
import json
import logging
import math
from numbers import Real

from labkit import Agent, Decision, audit_line


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    if name == "refund":
        amount = args.get("amount", math.nan)
        is_money = isinstance(amount, Real) and not isinstance(amount, bool)
        if not (is_money and math.inf > amount > 0):
            return Decision(reason=f"{amount} is not money", allowed=False)
        rest = refund_limit - already_refunded - amount
        if rest < -1e-9 and not allow_large_refunds:
            return Decision(reason=f"{-rest:.2f} above the limit", allowed=False)
    return Decision(reason="nothing against it", allowed=True)


def guarded(function):
    @functools.wraps(function)
    def guard(self, name, args):
        decide = functools.partial(
            policy,
            name,
            args,
            refund_limit=self.refund_limit,
            already_refunded=self.refunded_so_far(args.get("order_id")),
        )
        decision = decide(allow_large_refunds=self.allow_large_refunds)
        if name == "refund":
            write(self, audit_line(name, args, decision))
            if not decision.allowed and decide(allow_large_refunds=True).allowed:
                decision = self.ask_a_person(name, args, decision)
        if not decision.allowed:
            return json.dumps(["denied", decision.reason])
        return function(self, name, args)

    return guard


def write(agent, line):
    """Through the logging module, as a program would that has logs already."""
    if agent.audit.target:
        handler = logging.FileHandler(agent.audit.target, encoding="utf-8")
        text = json.dumps(line)
        handler.emit(logging.LogRecord("audit", 20, "", 0, "%s", (text,), None))
        handler.close()


class MyAgent(Agent):
    @guarded
    def run_tool(self, name, args):
        function = self.registry.get(name)
        if function is None:
            return json.dumps({"error": f"no tool {name}"})
        return json.dumps(function(**args))
