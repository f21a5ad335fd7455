"""fails: gives_what_this_reply_cost"""

from labkit import Agent

finished = Agent.count_tokens


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
        return finished(self, result, messages, response)
