"""fails: the_marker_counts_truly"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    half = room // 2
    return text[:half] + marker(len(text) - room, len(text)) + text[-half:]


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
