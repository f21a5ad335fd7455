"""fails: names_what_nobody_wrote"""

import json


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    return {name: functions[name] for name in names if name in functions}


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
