"""fails: says_what_was_wrong_with_the_arguments"""

import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            text = "[" + call.arguments.replace("}{", "},{") + "]"
            args = {}
            for part in json.loads(text, parse_constant=finite):
                args.update(part)
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
