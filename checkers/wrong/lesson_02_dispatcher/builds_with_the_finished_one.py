"""fails: builds_without_running"""

import json

from labkit import build_registry as finished


def build_registry(tools, functions):
    return finished(tools, functions)


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
