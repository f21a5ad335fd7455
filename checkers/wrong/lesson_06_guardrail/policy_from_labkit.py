"""fails: lets_other_tools_pass"""

import json

from labkit import Agent, audit_line, dispatch
from labkit import policy as labkit_policy

finished = labkit_policy


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    return finished(
        name,
        args,
        refund_limit=refund_limit,
        allow_large_refunds=allow_large_refunds,
        already_refunded=already_refunded,
    )


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
