"""fails: names_what_nobody_wrote"""

import json


def build_registry(tools, functions):
    def not_written(**args):
        raise NotImplementedError("this tool has no function yet")

    names = [tool["function"]["name"] for tool in tools]
    return {name: functions.get(name, not_written) for name in names}


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
