"""fails: sends_the_marker_with_it"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    def on_tool_result(self, result, call, content):
        kept = content[: self.limits.result_chars]
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
