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
        total = getattr(usage, "total_tokens", None)
        if not total:
            guess = replies.estimate_tokens([*messages, response])
            result.tokens_in += guess
            return guess
        result.tokens_in += usage.prompt_tokens or 0
        result.tokens_out += usage.completion_tokens or 0
        return total
