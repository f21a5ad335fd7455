import json

from labkit import Agent

GAP = "\n<<< "
END = " >>>"


def truncate(text, limit):
    """Says it twice: a short note on top, the numbers at the end."""
    if len(text) <= limit:
        return text
    top = "<<< cut, see below >>>\n"
    room = limit - len(top) - 2 * len(str(len(text))) - len(GAP + END) - len(" of ")
    gone = len(text) - room
    return f"{top}{text[:room]}{GAP}{gone} of {len(text)}{END}"


class MyAgent(Agent):
    """Decides first, writes a line that begins with the line end, then cuts."""

    def on_tool_result(self, result, call, content):
        size = len(content)
        fits = size <= self.limits.result_chars
        self.note(
            step=result.steps,
            tool=call.name,
            arguments=call.arguments,
            result_chars=size,
            truncated=not fits,
            seconds=call.seconds,
            tokens=result.tokens,
        )
        if fits:
            return content
        return truncate(content, self.limits.result_chars)

    def note(self, **fields):
        with open(self.trace.target, "a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(fields))
