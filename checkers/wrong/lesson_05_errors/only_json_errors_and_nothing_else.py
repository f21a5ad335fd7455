"""fails: says_what_was_wrong_with_the_arguments"""

import json

import openai

from labkit import Agent
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments)
        except json.JSONDecodeError as error:
            return json.dumps({"error": f"arguments are not JSON: {error}"})
        return self.run_tool(call.name, args)

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
