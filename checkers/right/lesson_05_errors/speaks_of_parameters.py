import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    """Says `parameters`, as the schema does, and nothing of Python's."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            assert isinstance(args, dict)
        except Exception:
            text = f"the parameters of {call.name} could not be read"
            return json.dumps({"error": f"{text}: {call.arguments!r}"})
        try:
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
