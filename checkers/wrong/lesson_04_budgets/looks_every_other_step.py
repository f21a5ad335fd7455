"""fails: cuts_the_runaway_at_the_step_budget"""

from labkit import Agent, Result
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
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out

    def run(self, question):
        result = Result(question)
        result.messages.append({"role": "system", "content": self.system})
        result.messages.append({"role": "user", "content": question})
        while True:
            result.stopped_by = self.over_budget(result)
            for _ in range(2):
                result.stopped_by = result.stopped_by or self.step(result)
            if result.stopped_by:
                return result
