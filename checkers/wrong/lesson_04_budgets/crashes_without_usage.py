"""fails: estimates_unknown_usage"""

from labkit import Agent


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
        result.tokens_in += response.usage.prompt_tokens
        result.tokens_out += response.usage.completion_tokens
        return response.usage.total_tokens
