"""fails: estimates_unknown_usage"""

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
        if usage is None or usage.prompt_tokens is None:
            tokens_in = replies.estimate_tokens(messages)
            tokens_out = replies.estimate_tokens(response.choices)
        else:
            tokens_in, tokens_out = usage.prompt_tokens, usage.completion_tokens
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
