"""fails: never_longer_than_the_limit"""

from labkit import Agent


NOTE = (
    "\n\n[NOTE TO THE ASSISTANT: the result of this tool was longer than what may be "
    "sent in one message, and therefore {} of its {} characters were left out here. "
    "Do not answer from what you can see above. Call the tool again and ask for less, "
    "for example with a filter on country or on status.]"
)


def truncate(text, limit):
    if len(text) <= limit:
        return text
    note = NOTE.format(len(text) - limit, len(text))
    return text[: limit - len(note)] + note


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
