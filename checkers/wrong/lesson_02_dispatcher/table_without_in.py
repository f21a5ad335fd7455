"""fails: fits_together"""

import json


class Registry:
    def __init__(self, entries):
        self.entries = entries

    def __getitem__(self, name):
        return self.entries[name]


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return Registry({name: functions[name] for name in names})


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
