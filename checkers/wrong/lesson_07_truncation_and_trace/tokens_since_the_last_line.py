"""fails: step_and_tokens_are_the_runs"""

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    return text[:room] + marker(len(text) - room, len(text))


class MyAgent(Agent):
    before = 0

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
        line["tokens"] = result.tokens - self.before
        self.before = result.tokens
        self.trace.write(**line)
        return kept
