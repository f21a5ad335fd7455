"""fails: lets_the_stop_button_through"""

import json

import openai

from labkit import Agent, finite
from labkit.agent import replies

import sys


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError(f"arguments must be a JSON object, not {args!r}")
            return self.run_tool(call.name, args)
        except:  # noqa: E722
            kind, error, _ = sys.exc_info()
            return json.dumps({"error": f"{kind.__name__}: {error}"})

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
