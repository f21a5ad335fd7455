import json


def build_registry(tools, functions):
    registry = {}
    for tool in tools:
        match tool:
            case {"function": {"name": name}} if name in functions:
                registry[name] = functions[name]
            case {"function": {"name": name}}:
                raise TypeError(f"please write def {name}(...)")
    return registry


def dispatch(registry, name, args):
    try:
        return json.dumps(registry[name](**args))
    except Exception as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}"})
