import json
import os

from labkit import Agent


def truncate(text: str, limit: int) -> str:
    """The marker comes first, its numbers with thousands separators."""
    whole = len(text)
    if whole <= limit:
        return text
    left = whole - limit
    while True:
        note = f"(the first {whole - left:,}; {left:,} of {whole:,} characters cut)\n\n"
        if whole - left + len(note) <= limit:
            return note + text[: whole - left]
        left += 1


class MyAgent(Agent):
    """Writes its line with the system's own calls, raw bytes at the end of the file."""

    def on_tool_result(self, result, call, content):
        line = {
            "step": result.steps,
            "tool": call.name,
            "arguments": call.arguments,
            "result_chars": len(content),
            "truncated": len(content) > self.limits.result_chars,
            "seconds": round(call.seconds, 2),
            "tokens": result.tokens,
        }
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self.trace.target, flags)
        os.write(file, json.dumps(line, ensure_ascii=False).encode() + b"\n")
        os.close(file)
        return truncate(content, self.limits.result_chars)
