import json
import os
from itertools import accumulate
from pathlib import Path

from labkit import Agent
from labkit.agent.truncation import marker


def truncate(text, limit):
    """Keeps as many whole pieces of ten characters as there is room for."""
    if len(text) <= limit:
        return text
    room = limit - len(marker(len(text), len(text)))
    pieces = [text[i : i + 10] for i in range(0, len(text), 10)]
    ends = list(accumulate(map(len, pieces)))
    kept = "".join(piece for piece, end in zip(pieces, ends) if end <= room)
    return "".join((kept, marker(len(text) - len(kept), len(text))))


class MyAgent(Agent):
    """A copy with one more line takes the file's place, so that it is always whole."""

    def on_tool_result(self, result, call, content):
        fields = {
            "step": result.steps,
            "tool": call.name,
            "arguments": {"raw": call.arguments},
            "result_chars": len(content),
        }
        fields["arguments"] = fields["arguments"]["raw"]
        fields |= {"seconds": call.seconds, "tokens": result.tokens}
        try:
            return truncate(content, self.limits.result_chars)
        finally:
            fields["truncated"] = len(content) > self.limits.result_chars
            path = Path(self.trace.target)
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            copy = path.with_suffix(".new")
            copy.write_text(before + json.dumps(fields) + "\n", encoding="utf-8")
            os.replace(copy, path)
