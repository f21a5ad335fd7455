"""fails: says_what_failed"""

import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
        except ValueError as error:
            return json.dumps({"error": str(error)})
        if not isinstance(args, dict):
            return json.dumps({"error": "arguments must be a JSON object"})
        try:
            return self.run_tool(call.name, args)
        except Exception:
            return json.dumps({"error": f"there is no tool {call.name}"})

    def call_model(self, messages):
        for _ in range(self.attempts):
            try:
                response = self.complete(messages)
            except openai.OpenAIError as error:
                self.error = str(error)
                if replies.is_wrong_request(error):
                    return None
                continue
            if response.choices and response.choices[0].message:
                return response
            self.error = replies.words(response)
        return None
