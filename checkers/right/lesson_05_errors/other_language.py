import json

import openai

from labkit import Agent
from labkit.agent import replies

WRONG = "Die Argumente von {name} sind unlesbar ({error}); bitte ein JSON-Objekt."
UNKNOWN = "Ein Werkzeug {name} gibt es nicht."
FAILED = "{name} ist fehlgeschlagen: {error!r}"


class Unreadable(Exception):
    pass


class MyAgent(Agent):
    def execute_call(self, call):
        if call.name not in self.registry:
            return self.error_text(UNKNOWN, name=call.name)
        try:
            return self.run_tool(call.name, self.read(call.arguments))
        except Unreadable as error:
            return self.error_text(WRONG, name=call.name, error=error)
        except Exception as error:
            return self.error_text(FAILED, name=call.name, error=error)

    def read(self, text):
        try:
            match json.loads(text, parse_constant=self.no_number):
                case dict() as args:
                    return args
                case other:
                    raise Unreadable(f"{type(other).__name__} statt Objekt")
        except (ValueError, TypeError, RecursionError) as error:
            raise Unreadable(str(error)) from error

    def no_number(self, constant):
        raise ValueError(f"{constant} ist keine Zahl")

    def error_text(self, pattern, **words):
        return json.dumps({"error": pattern.format(**words)}, ensure_ascii=False)

    def call_model(self, messages):
        self.error = ""
        for _ in range(self.attempts):
            response = self.one_attempt(messages)
            if response == "never again":
                return None
            if response is not None:
                return response

    def one_attempt(self, messages):
        try:
            response = self.complete(messages)
        except openai.OpenAIError as error:
            self.error = str(error) or repr(error)
            return "never again" if replies.is_wrong_request(error) else None
        message = response.choices and response.choices[0].message
        if not message:
            self.error = f"keine Nachricht: {replies.words(response)}"
        return response if message else None
