import re
from enum import StrEnum

from labkit import Agent


class Reason(StrEnum):
    STEPS = "step_budget"
    CALLS = "tool_call_budget"
    TOKENS = "token_budget"


def pieces(*things):
    """Words and signs, one token each."""
    return sum(len(re.findall(r"\w+|[^\w\s]", str(thing))) for thing in things)


def told(usage, name):
    """What the usage says under a name, if it says anything worth believing."""
    number = getattr(usage, name, None)
    return number if isinstance(number, int) and number > 0 else None


class MyAgent(Agent):
    def over_budget(self, result):
        if result.tokens >= self.limits.tokens:
            return Reason.TOKENS
        if len(result.tool_calls) >= self.limits.tool_calls:
            return Reason.CALLS
        if result.steps >= self.limits.steps:
            return Reason.STEPS

    def count_tokens(self, result, messages, response):
        tokens_in = told(response.usage, "prompt_tokens") or pieces(*messages)
        tokens_out = told(response.usage, "completion_tokens") or pieces(response)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
