import json
from contextlib import suppress

import openai

from labkit import Agent, finite


class MyAgent(Agent):
    """null, an empty text and {} are three spellings of "no arguments"."""

    def execute_call(self, call):
        content = None
        try:
            text = (call.arguments or "").strip()
            args = json.loads(text, parse_constant=finite) if text else {}
            content = self.run_tool(call.name, {} if args is None else dict(args))
        except Exception as error:
            reason = {"class": type(error).__name__, "text": str(error)}
            where = f"arguments of {call.name}"
            content = json.dumps({"error": {"reason": reason, "where": where}})
        return content

    def call_model(self, messages):
        for _ in range(self.attempts):
            with suppress(openai.InternalServerError, openai.APIConnectionError):
                try:
                    response = self.complete(messages)
                except openai.OpenAIError as error:
                    self.error = str(error)
                    if isinstance(error, openai.APIStatusError):
                        if error.status_code < 500 and error.status_code != 429:
                            return None
                        raise
                    continue
                for choice in response.choices or []:
                    if choice.message:
                        return response
                self.error = str(getattr(response, "error", "")) or "no choices"
        return None
