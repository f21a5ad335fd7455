import json

from labkit import Agent, Decision, audit_line, dispatch


def cents(amount):
    return round(amount * 100)


def policy(name, args, *, refund_limit, allow_large_refunds, already_refunded=0):
    """Counts in cents; a spelling that is nearly "refund" is a refund too."""
    if str(name).strip().lower() != "refund":
        return Decision(True, "not a refund")
    amount = args.get("amount")
    if type(amount) is not int and type(amount) is not float:
        return Decision(False, "amount must be a number")
    if not 0 < amount < 1_000_000_000:
        return Decision(False, "amount must be above zero, and not beyond all measure")
    if allow_large_refunds:
        return Decision(True, "large refunds are on")
    total, limit = cents(amount) + cents(already_refunded), cents(refund_limit)
    if total > limit:
        return Decision(False, f"{total} cents of {limit}")
    return Decision(True, f"{total} cents of {limit}")


def answer(text):
    return json.dumps({"error": text}, ensure_ascii=False)


class MyAgent(Agent):
    def run_tool(self, name, args):
        decision = self.decided(name, args)
        if "refund" in name.lower():
            self.audit.write(**audit_line(name, args, decision))
        return self.carried_out(name, args, self.asked(name, args, decision))

    def decided(self, name, args, **other):
        ledger = self.functions["refunded_so_far"]
        given = {
            "refund_limit": self.refund_limit,
            "allow_large_refunds": self.allow_large_refunds,
            "already_refunded": ledger(args.get("order_id")),
        }
        return policy(name, args, **(given | other))

    def asked(self, name, args, decision):
        if decision.allowed or self.approve is None or name != "refund":
            return decision
        if not self.decided(name, args, allow_large_refunds=True).allowed:
            return decision
        return self.ask_a_person(name, args, decision)

    def carried_out(self, name, args, decision):
        if decision.allowed:
            return dispatch(self.registry, name, args)
        return answer(f"denied ({decision.reason})")
