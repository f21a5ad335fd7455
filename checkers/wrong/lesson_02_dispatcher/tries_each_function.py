"""fails: builds_without_running"""

import json


def build_registry(tools, functions):
    registry = {}
    for tool in tools:
        name = tool["function"]["name"]
        try:
            functions[name]()
        except TypeError:
            pass  # it exists, it only wants arguments
        registry[name] = functions[name]
    return registry


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
