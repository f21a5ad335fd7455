"""fails: cuts_a_run_that_is_never_billed"""

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
        if usage and usage.prompt_tokens and usage.completion_tokens:
            result.tokens_in += usage.prompt_tokens
            result.tokens_out += usage.completion_tokens
            return usage.prompt_tokens + usage.completion_tokens
        return replies.estimate_tokens(messages) + replies.estimate_tokens(
            response.choices
        )
