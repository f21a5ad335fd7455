"""fails: keeps_the_last_words"""

import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError(f"arguments must be a JSON object, not {args!r}")
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

    def call_model(self, messages):
        for _ in range(self.attempts):
            try:
                response = self.complete(messages)
                if response.choices[0].message is None:
                    raise ValueError(replies.words(response))
                return response
            except Exception as error:
                self.error = f"{type(error).__name__}: {error}"
                if isinstance(error, openai.OpenAIError) and replies.is_wrong_request(
                    error
                ):
                    return None
        return None
