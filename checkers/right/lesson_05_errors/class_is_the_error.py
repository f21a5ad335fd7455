import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    """The class of an exception is the error; its text stands beside it."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError("arguments must be a JSON object")
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": type(error).__name__, "message": str(error)})

    def call_model(self, messages):
        for _ in range(self.attempts):
            try:
                response = self.complete(messages)
                if response.choices and response.choices[0].message:
                    return response
                self.error = replies.words(response)
            except openai.OpenAIError as error:
                self.error = str(error)
                if replies.is_wrong_request(error):
                    return None
        return None
