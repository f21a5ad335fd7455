"""fails: asks_again_for_a_reply_without_a_message"""

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
            except openai.OpenAIError as error:
                self.error = str(error)
                if replies.is_wrong_request(error):
                    return None
                continue
            if response.choices:
                return response
            self.error = replies.words(response)
        return None
