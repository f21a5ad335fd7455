"""fails: tells_a_fault_from_a_wrong_name"""

import json


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return {name: functions[name] for name in names}


def dispatch(registry, name, args):
    try:
        return json.dumps(registry[name](**args))
    except KeyError:
        known = ", ".join(registry)
        return json.dumps({"error": f"there is no tool {name}; there are: {known}"})
