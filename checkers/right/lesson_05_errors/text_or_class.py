import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    """The error is the exception's text, or its class where there is none."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError(
                    f"arguments: JSON object needed, {type(args).__name__} given"
                )
            return self.run_tool(call.name, args)
        except Exception as error:
            text = str(error) or f"{type(error).__name__} without a message"
            return json.dumps(
                {"error": text, "type": type(error).__name__, "tool": call.name}
            )

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
