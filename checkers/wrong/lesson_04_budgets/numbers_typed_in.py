"""fails: takes_the_limits_it_was_given"""

from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def over_budget(self, result):
        if result.steps >= 8:
            return "step_budget"
        if len(result.tool_calls) >= 20:
            return "tool_call_budget"
        if result.tokens >= 20_000:
            return "token_budget"
        return None

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
