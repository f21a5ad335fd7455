import json

from labkit import Agent


def truncate(text, limit):
    """A table is cut between two rows; 200 characters are set aside for the marker."""
    whole, room = len(text), limit - 200
    if whole <= limit:
        return text
    kept = text[:room]
    if text.startswith("[{") and "}, {" in kept:
        kept = kept[: kept.rindex("}, {") + 1]
    return f"{kept}\n<cut kept='{len(kept)}' cut='{whole - len(kept)}' of='{whole}'/>"


class MyAgent(Agent):
    """Arguments are dumped anew; of malformed ones it keeps the fault as well."""

    def on_tool_result(self, result, call, content):
        try:
            arguments = json.dumps(json.loads(call.arguments), sort_keys=True)
        except ValueError as error:
            arguments = f"{call.arguments} ({error})"
        kept = truncate(content, self.limits.result_chars)
        self.trace.write(
            step=result.steps,
            tool=call.name,
            arguments=arguments,
            result_chars=len(content),
            truncated=kept != content,
            seconds=call.seconds,
            tokens=result.tokens,
        )
        return kept
