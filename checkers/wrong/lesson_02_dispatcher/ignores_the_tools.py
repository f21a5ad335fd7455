"""fails: names_what_nobody_wrote"""

import json


def build_registry(tools, functions):
    return dict(functions)


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
