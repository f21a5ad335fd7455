"""fails: says_nothing_while_there_is_room"""

from labkit import Agent
from labkit.agent import replies

finished = Agent.over_budget


class MyAgent(Agent):
    def over_budget(self, result):
        return finished(self, result)

    def count_tokens(self, result, messages, response):
        usage = response.usage
        tokens_in = (usage and usage.prompt_tokens) or replies.estimate_tokens(messages)
        tokens_out = usage and usage.completion_tokens
        tokens_out = tokens_out or replies.estimate_tokens(response.choices)
        result.tokens_in += tokens_in
        result.tokens_out += tokens_out
        return tokens_in + tokens_out
