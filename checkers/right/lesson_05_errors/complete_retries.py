import json
import math

import openai

from labkit import Agent
from labkit.agent import replies


class NoMessage(openai.OpenAIError):
    """A reply with nothing in it, made an exception like the others."""


def has_nan(value):
    if isinstance(value, dict):
        return any(map(has_nan, value.values()))
    if isinstance(value, list):
        return any(map(has_nan, value))
    return isinstance(value, float) and not math.isfinite(value)


class MyAgent(Agent):
    """`complete` is where it asks again; call_model only turns a loss into None."""

    def execute_call(self, call):
        args, fault = None, ""
        try:
            args = json.loads(call.arguments)
        except (TypeError, ValueError, RecursionError) as error:
            fault = f"not JSON ({error})"
        if not fault and (not isinstance(args, dict) or has_nan(args)):
            fault = "not an object of finite numbers"
        if fault:
            return json.dumps({"error": f"{call.name}: arguments are {fault}"})
        try:
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": f"{call.name}: {error!r}"})

    def call_model(self, messages):
        try:
            return self.complete(messages)
        except openai.OpenAIError as error:
            self.error = str(error)
            return None

    def complete(self, messages):
        last = NoMessage("no attempt was made")
        for attempt in range(self.attempts):
            self.sleep(attempt)
            try:
                response = super().complete(messages)
                if response.choices and response.choices[0].message:
                    return response
                raise NoMessage(replies.words(response))
            except openai.OpenAIError as error:
                last = error
                if replies.is_wrong_request(error):
                    break
        raise last
