"""fails: tells_the_whole_length"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    def on_tool_result(self, result, call, content):
        whole = len(content)
        content = truncate(content, self.limits.result_chars)
        self.trace.write(
            step=result.steps,
            tool=call.name,
            arguments=call.arguments,
            result_chars=whole,
            truncated=len(content) > self.limits.result_chars,
            seconds=call.seconds,
            tokens=result.tokens,
        )
        return content
