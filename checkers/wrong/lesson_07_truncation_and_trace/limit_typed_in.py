"""fails: never_longer_than_the_limit"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= 8000:
        return text
    room = 8000 - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    def on_tool_result(self, result, call, content):
        kept = truncate(content, self.limits.result_chars)
        self.trace.write(
            step=result.steps,
            tool=call.name,
            arguments=call.arguments,
            result_chars=len(content),
            truncated=kept != content,
            seconds=call.seconds,
            tokens=result.tokens,
        )
        return kept
