import math

from labkit import Agent


def text_of(message):
    if isinstance(message, dict):
        return str(message.get("content") or "")
    return str(message.content or "") + str(message.tool_calls or "")


class MyAgent(Agent):
    """Estimates what is said, and not the dicts around it."""

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
        tokens_in = usage and usage.prompt_tokens
        if not tokens_in:
            tokens_in = max(1, math.ceil(sum(len(text_of(m)) for m in messages) / 4))
        tokens_out = usage and usage.completion_tokens
        if not tokens_out:
            tokens_out = max(
                1, math.ceil(len(text_of(response.choices[0].message)) / 4)
            )
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
