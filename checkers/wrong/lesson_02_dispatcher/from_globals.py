"""fails: builds_without_running"""

import json


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    return {name: globals()[name] for name in names}


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
