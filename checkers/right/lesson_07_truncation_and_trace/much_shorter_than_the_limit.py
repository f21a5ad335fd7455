from labkit import Agent


def truncate(text, limit):
    """Half of the limit is enough of a look; spaces set the thousands apart."""
    size = len(text)
    if size <= limit:
        return text
    tail = text[-(limit // 2) :]
    left_out = f"{size - len(tail):_}".replace("_", "\u202f")
    return f"[{left_out} von {size:_} Zeichen ausgelassen]".replace("_", " ") + tail


def trace(log, **fields):
    log.write(**fields)


class Traced(Agent):
    def on_tool_result(self, result, call, content):
        whole, content = content, truncate(content, self.limits.result_chars)
        trace(
            self.trace,
            step=result.steps,
            tool=call.name,
            arguments=call.arguments,
            result_chars=len(whole),
            truncated=int(whole != content),
            seconds=call.seconds,
            tokens=result.tokens,
        )
        return content


class MyAgent(Traced):
    pass
