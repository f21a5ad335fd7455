"""fails: is_on_disk_before_the_next_request"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    waiting = None

    def run(self, question):
        result = super().run(question)
        self.write_waiting()
        return result

    def write_waiting(self):
        if self.waiting:
            self.trace.write(**self.waiting)

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
        self.write_waiting()
        self.waiting = line
        return kept
