from labkit import Agent


class MyAgent(Agent):
    def over_budget(self, result):
        left = {
            "tool_call_budget": self.limits.tool_calls - len(result.tool_calls),
            "token_budget": self.limits.tokens - result.tokens,
            "step_budget": self.limits.steps - result.steps,
        }
        tightest = min(left, key=left.get)
        return tightest if left[tightest] <= 0 else None

    def count_tokens(self, result, messages, response):
        said = response.usage.model_dump() if response.usage else {}
        for key, field, texts in (
            ("prompt_tokens", "tokens_in", messages),
            ("completion_tokens", "tokens_out", [response]),
        ):
            words = sum(len(str(text).split()) for text in texts)
            setattr(result, field, getattr(result, field) + (said.get(key) or words))
        return result.tokens_in + result.tokens_out - result.tokens
