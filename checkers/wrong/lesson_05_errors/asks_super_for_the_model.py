"""fails: asks_again_after_a_failed_request"""

import json

from labkit import Agent, finite


class MyAgent(Agent):
    def execute_call(self, call):
        try:
            args = json.loads(call.arguments, parse_constant=finite)
            if not isinstance(args, dict):
                raise TypeError(f"arguments must be a JSON object, not {args!r}")
            return self.run_tool(call.name, args)
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

    def call_model(self, messages):
        return super().call_model(messages)
