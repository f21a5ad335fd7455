"""fails: builds_without_running"""

import json


def build_registry(tools, functions):
    registry = []
    for tool in tools:
        name = tool["function"]["name"]
        if name not in functions:
            raise ValueError(f"nobody wrote {name}")
        registry.append((name, functions[name]))
    return registry


def dispatch(registry, name, args):
    for known, function in dict(registry).items():
        if known == name:
            return json.dumps(function(**args))
    return json.dumps({"error": f"there is no tool called {name}"})
