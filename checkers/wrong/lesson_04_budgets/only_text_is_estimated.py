"""fails: estimates_the_missing_half"""

from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def over_budget(self, result):
        if result.steps >= self.limits.steps:
            return "step_budget"
        if len(result.tool_calls) >= self.limits.tool_calls:
            return "tool_call_budget"
        if result.tokens >= self.limits.tokens:
            return "token_budget"
        return None

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = (usage and usage.completion_tokens) or len(
            response.choices[0].message.content or ""
        ) // 4
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
