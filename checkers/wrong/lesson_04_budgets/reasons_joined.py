"""fails: names_the_budget_that_is_spent"""

from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def over_budget(self, result):
        spent = []
        if result.steps >= self.limits.steps:
            spent.append("step_budget")
        if len(result.tool_calls) >= self.limits.tool_calls:
            spent.append("tool_call_budget")
        if result.tokens >= self.limits.tokens:
            spent.append("token_budget")
        return ", ".join(spent) or None

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
