import json

import openai

from labkit import Agent, finite

FINAL = (
    openai.BadRequestError,
    openai.AuthenticationError,
    openai.PermissionDeniedError,
    openai.NotFoundError,
    openai.UnprocessableEntityError,
)


class MyAgent(Agent):
    """Asks the client itself, with a time-out, and reads what came by hand."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_float=finite, parse_constant=finite)
        except ValueError as error:
            return json.dumps({"error": f"the arguments are no JSON: {error}"})
        if type(args) is not dict:
            kind = type(args).__name__
            return json.dumps({"error": f"the arguments are a {kind}, no object"})
        try:
            return self.run_tool(call.name, args)
        except Exception as error:
            kind = type(error).__name__
            return json.dumps(
                {"error": f"{call.name} raised {kind}", "text": str(error)}
            )

    def call_model(self, messages):
        client = self.client.with_options(timeout=self.timeout, max_retries=0)
        history = self.sendable(messages)
        for _ in range(self.attempts):
            try:
                raw = client.chat.completions.with_raw_response.create(
                    model=self.model, messages=history, tools=self.tools
                )
                body = json.loads(raw.text)
                if body["choices"][0]["message"]:
                    return raw.parse()
                self.error = raw.text
            except FINAL as error:
                self.error = str(error)
                return None
            except openai.OpenAIError as error:
                self.error = str(error)
            except (ValueError, LookupError, TypeError):
                self.error = raw.text
        return None
