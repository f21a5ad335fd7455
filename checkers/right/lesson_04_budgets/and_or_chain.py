from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def over_budget(self, result):
        limits = self.limits
        return (
            (result.tokens_in + result.tokens_out >= limits.tokens and "token_budget")
            or (len(result.tool_calls) >= limits.tool_calls and "tool_call_budget")
            or (result.steps >= limits.steps and "step_budget")
        )

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
