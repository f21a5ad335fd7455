"""fails: each_line_is_an_object_of_its_own"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    def on_tool_result(self, result, call, content):
        return truncate(content, self.limits.result_chars)
