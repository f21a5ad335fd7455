"""fails: leads_to_its_own_function"""

import json


def build_registry(tools, functions):
    registry = {}
    for tool in tools:
        name = tool["function"]["name"]
        if name not in functions:
            raise ValueError(f"nobody wrote {name}")
        registry[name] = tool["function"]
    return registry


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
