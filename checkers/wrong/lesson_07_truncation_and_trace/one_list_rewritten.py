"""fails: each_line_is_an_object_of_its_own"""

import json

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    lines = []

    def on_tool_result(self, result, call, content):
        kept = truncate(content, self.limits.result_chars)
        line = {
            "step": result.steps,
            "tool": call.name,
            "arguments": call.arguments,
            "result_chars": len(content),
            "truncated": kept != content,
            "seconds": call.seconds,
            "tokens": result.tokens,
        }
        with open(self.trace.target, "w") as file:
            self.lines.append(line)
            json.dump(self.lines, file)
        return kept
