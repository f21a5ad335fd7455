import json

from labkit import Agent, finite
from labkit.agent import replies


class MyAgent(Agent):
    """Catches whatever comes, in both parts, and looks at nothing beforehand."""

    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            return self.run_tool(call.name, {**args})
        except Exception as error:
            # No look at what the arguments are: ** says it, "is not a mapping".
            return json.dumps({"error": f"{error!r} in {call.name}({call.arguments})"})

    def call_model(self, messages):
        attempts = 0
        while attempts < self.attempts:
            attempts += 1
            try:
                response = self.complete(messages)
                response.choices[0].message.content  # noqa: B018 - raises if not there
                return response
            except (TypeError, LookupError, AttributeError):
                self.error = replies.words(response)
            except Exception as error:
                self.error = f"{type(error).__name__}: {error}"
                if getattr(error, "status_code", None) in (400, 401, 403, 404, 422):
                    break
