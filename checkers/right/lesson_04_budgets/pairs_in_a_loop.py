from labkit import Agent


class MyAgent(Agent):
    def over_budget(self, result):
        used = result.steps, len(result.tool_calls), result.tokens
        limits = self.limits.steps, self.limits.tool_calls, self.limits.tokens
        reasons = "step_budget", "tool_call_budget", "token_budget"
        for count, limit, reason in zip(used, limits, reasons):
            if count >= limit:
                return reason

    def count_tokens(self, result, messages, response):
        """A flat thousand where nobody says."""
        usage = response.usage
        went = usage.prompt_tokens if usage and usage.prompt_tokens else 1000
        came = usage.completion_tokens if usage and usage.completion_tokens else 50
        result.tokens_in, result.tokens_out = (
            result.tokens_in + went,
            result.tokens_out + came,
        )
        return went + came
