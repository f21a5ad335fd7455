"""fails: sends_the_short_text"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    def on_tool_result(self, result, call, content):
        return super().on_tool_result(result, call, content)
