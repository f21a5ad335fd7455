"""fails: runs_only_the_exact_name"""

import json


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return {name: functions[name] for name in names}


def dispatch(registry, name, args):
    function = registry.get(name.strip())
    if function is None:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(function(**args))
