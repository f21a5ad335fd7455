"""fails: keeps_text_of_the_original"""

import json

from labkit import Agent


def truncate(text, limit):
    if len(text) <= limit:
        return text
    return json.dumps({"error": f"{len(text)} of {len(text)} characters left out"})


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
