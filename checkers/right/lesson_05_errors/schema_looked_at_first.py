import json

import openai

from labkit import Agent
from labkit.agent import replies


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


class MyAgent(Agent):
    """Holds each call against its schema, and runs it only if nothing is wrong."""

    def execute_call(self, call):
        schemas = {t["function"]["name"]: t["function"] for t in self.tools}
        if call.name not in schemas:
            return self.told(f"no tool {call.name}", known=sorted(schemas))
        try:
            args = json.loads(call.arguments, parse_constant=refuse)
        except ValueError as error:
            return self.told(f"cannot read the arguments: {error}", got=call.arguments)
        if not isinstance(args, dict):
            return self.told("one JSON object, please", got=call.arguments)
        wanted = schemas[call.name]["parameters"]
        missing = set(wanted["required"]) - args.keys()
        unknown = args.keys() - wanted["properties"].keys()
        if missing or unknown:
            return self.told(f"missing: {missing or 'none'}, unknown: {unknown}")
        try:
            return self.run_tool(call.name, args)
        except Exception as error:
            return self.told(f"{call.name} failed with {type(error).__name__}")

    def told(self, text, **more):
        return json.dumps({"error": text, **more}, indent=1)

    def call_model(self, messages):
        return self.attempt(messages, self.attempts)

    def attempt(self, messages, left):
        """Asks again by calling itself."""
        if left == 0:
            return None
        try:
            response = self.complete(messages)
        except openai.APIStatusError as error:
            self.error = error.message
            if error.status_code < 500:
                return None
        except openai.OpenAIError as error:
            self.error = str(error)
        else:
            if response.choices and response.choices[0].message is not None:
                return response
            self.error = replies.words(response)
        return self.attempt(messages, left - 1)
