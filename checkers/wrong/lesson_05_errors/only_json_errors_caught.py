"""fails: says_what_failed"""

import json

import openai

from labkit import Agent
from labkit.agent import replies


def refuse(text):
    raise json.JSONDecodeError(f"{text} is no JSON", text, 0)


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=refuse)
            assert isinstance(args, dict)
            return self.run_tool(call.name, args)
        except json.JSONDecodeError as error:
            return json.dumps({"error": f"arguments are not JSON: {error}"})
        except AssertionError:
            return json.dumps({"error": "arguments must be a JSON object"})

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
