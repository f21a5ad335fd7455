"""fails: what_fits_is_unchanged"""

from labkit import Agent
from labkit import truncate as cut


def truncate(text, limit):
    return cut(text, limit)


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
