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
        usage = response.usage
        if usage is None:
            return 0
        result.tokens_in += usage.prompt_tokens or 0
        result.tokens_out += usage.completion_tokens or 0
        return usage.total_tokens or 0
