import json

import openai

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    """Objects run together are carried out one by one, unless money could move."""

    decoder = json.JSONDecoder(parse_constant=finite)

    def execute_call(self, call):
        try:
            found = list(self.objects(call.arguments.strip()))
            if len(found) != 1 and call.name == "refund":
                raise ValueError(f"{len(found)} objects: send one for each refund")
            outcomes = [self.one(call.name, args) for args in found]
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})
        return outcomes[0] if len(outcomes) == 1 else f"[{', '.join(outcomes)}]"

    def objects(self, text):
        end = 0
        while end < len(text) or end == 0:
            value, end = self.decoder.raw_decode(text, end)
            if not isinstance(value, dict):
                raise TypeError(f"arguments: an object was expected, not {value!r}")
            yield value

    def one(self, name, args):
        try:
            return self.run_tool(name, args)
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

    def call_model(self, messages):
        for attempt in range(1, self.attempts + 1):
            if attempt > 1:
                self.sleep(0.25 * 2**attempt)
            try:
                response = self.complete(messages)
            except openai.OpenAIError as error:
                self.error = f"attempt {attempt}: {error}"
                if replies.is_wrong_request(error):
                    return None
            else:
                if response.choices and response.choices[0].message:
                    return response
                self.error = f"attempt {attempt}: {replies.words(response)}"
