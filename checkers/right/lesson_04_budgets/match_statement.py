import json

from labkit import Agent


class MyAgent(Agent):
    def over_budget(self, result):
        spent = (
            result.steps >= self.limits.steps,
            len(result.tool_calls) >= self.limits.tool_calls,
            result.tokens >= self.limits.tokens,
        )
        match spent:
            case (True, _, _):
                return "step_budget"
            case (_, True, _):
                return "tool_call_budget"
            case (_, _, True):
                return "token_budget"
            case _:
                return None

    def count_tokens(self, result, messages, response):
        match response.usage:
            case None:
                tokens_in = tokens_out = 0
            case usage:
                tokens_in, tokens_out = usage.prompt_tokens, usage.completion_tokens
        tokens_in = tokens_in or len(json.dumps(self.sendable(messages))) / 4
        tokens_out = tokens_out or len(response.model_dump_json()) / 4
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
