"""fails: leaves_a_good_call_as_it_is"""

import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not args or not isinstance(args, dict):
                raise TypeError("arguments must be a JSON object")
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

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
