"""fails: names_what_nobody_wrote"""

import json


def build_registry(tools, functions):
    registry = {}
    for tool in tools:
        name = tool["function"]["name"]
        if name in functions:
            registry[name] = functions[name]
        else:
            print(f"Warning: nobody wrote {name}")
    return registry


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
