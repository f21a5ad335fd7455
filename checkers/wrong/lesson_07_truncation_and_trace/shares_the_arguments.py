"""fails: each_call_leaves_a_line"""

import json

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    """The arguments object waits in a list, and whoever changes it changes the trace."""

    def run(self, question):
        self.entries = []
        result = super().run(question)
        for entry in self.entries:
            entry["arguments"] |= {"seen": True}
            self.trace.write(**entry)
        return result

    def on_tool_result(self, result, call, content):
        kept = truncate(content, self.limits.result_chars)
        try:
            args = json.loads(call.arguments)
        except ValueError:
            args = {}
        entry = {
            "step": result.steps,
            "tool": call.name,
            "arguments": args,
            "result_chars": len(content),
            "truncated": kept != content,
            "seconds": call.seconds,
            "tokens": result.tokens,
        }
        self.entries = [*getattr(self, "entries", []), entry]
        return kept
