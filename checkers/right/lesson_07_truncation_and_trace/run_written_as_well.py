import json
import time

from labkit import Agent, Result, parse_tool_calls
from labkit.agent.truncation import marker


def truncate(text, limit):
    over = len(text) > limit
    note = marker(len(text), len(text)) if over else ""
    kept = text[: limit - len(note)] if over else text
    return kept + marker(len(text) - len(kept), len(text)) if over else text


class MyAgent(Agent):
    """Its own loop, which times the tools itself and calls each one alone."""

    def run(self, question):
        result = Result(question)
        messages = result.messages
        messages.append({"role": "system", "content": self.system})
        messages.append({"role": "user", "content": question})
        while (response := self.call_model(messages)) is not None:
            result.steps += 1
            result.tokens += response.usage.total_tokens
            message = response.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                result.answer, result.stopped_by = message.content, "answered"
                return result
            for call in parse_tool_calls(message):
                begun = time.monotonic()
                content = self.execute_call(call)
                call.seconds = time.monotonic() - begun
                entry = {"name": call.name, "arguments": call.arguments}
                result.tool_calls.append(entry | {"result": content})
                text = self.on_tool_result(result, call, content)
                parts = [{"type": "text", "text": text}]
                messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": parts}
                )
        result.stopped_by = "provider_error"
        return result

    def on_tool_result(self, result, call, content):
        text = truncate(content, self.limits.result_chars)
        line = json.dumps(
            {
                "step": result.steps,
                "tool": call.name,
                "arguments": call.arguments,
                "result_chars": len(content),
                "truncated": text != content,
                "seconds": call.seconds,
                "tokens": result.tokens,
            }
        )
        with open(self.trace.target, "a") as file:
            file.write(f"{line}\n")
        return text
