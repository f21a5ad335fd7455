import json

from labkit import Agent


def truncate(text, limit):
    """Both ends are kept, the marker stands in the middle."""
    if not len(text) > limit:
        return text
    room = limit - 100
    head, tail = text[: room // 2], text[len(text) - room // 2 :]
    gone = len(text) - len(head) - len(tail)
    return f"{head}\n…\n[{gone} characters of {len(text)} left out]\n…\n{tail}"


class MyAgent(Agent):
    """Arguments parsed where they can be; more fields than the seven; by hand."""

    def on_tool_result(self, result, call, content):
        short = truncate(content, self.limits.result_chars)
        try:
            arguments = json.loads(call.arguments)
        except ValueError:
            arguments = None
        entry = dict(
            call_id=call.id,
            step=result.steps,
            tool=call.name,
            arguments=arguments,
            result_chars=len(content),
            sent_chars=len(short),
            truncated=short is not content,
            seconds=call.seconds or None,
            tokens=result.tokens,
            ok="error" not in content,
        )
        with open(self.trace.target, "a", encoding="utf-8") as file:
            print(json.dumps(entry, ensure_ascii=False), file=file)
        return short
