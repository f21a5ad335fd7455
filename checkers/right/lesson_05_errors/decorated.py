import functools
import json

import openai

from labkit import Agent, Call, finite
from labkit.agent import replies


def never_raises(method):
    @functools.wraps(method)
    def answer(self, call):
        try:
            return method(self, call)
        except Exception as error:
            text = ": ".join(filter(None, [type(error).__name__, str(error)]))
            return json.dumps({"ok": False, "error": text})

    return answer


def attempted(method):
    """The first outcome that is a completion, of as many attempts as there are."""

    @functools.wraps(method)
    def attempt(self, messages):
        tries = (method(self, messages) for _ in range(self.attempts))
        found = next((outcome for outcome in tries if outcome is not None), False)
        return found or None

    return attempt


class Careful(Agent):
    @never_raises
    def execute_call(self, call: Call) -> str:
        args = json.loads(call.arguments, parse_constant=finite)
        if not isinstance(args, dict):
            raise ValueError("arguments have to be an object")
        return self.run_tool(call.name, args)

    @attempted
    def call_model(self, messages):
        try:
            response = self.complete(messages)
        except openai.OpenAIError as error:
            self.error = str(error)
            return False if replies.is_wrong_request(error) else None
        if not (response.choices and response.choices[0].message):
            self.error = replies.words(response)
            return None
        return response


class MyAgent(Careful):
    pass
