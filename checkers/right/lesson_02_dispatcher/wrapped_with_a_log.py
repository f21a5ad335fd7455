import json
from functools import partial, wraps


def logged(name, function):
    @wraps(function)
    def run(**args):
        print("tool:", name, args)
        return function(**args)

    return run


def build_registry(tools, functions):
    registry = {}
    for name in (tool["function"]["name"] for tool in tools):
        try:
            registry[name] = partial(logged(name, functions[name]))
        except KeyError:
            raise ValueError(f"{name} has a schema, but nobody wrote it") from None
    return registry


def dispatch(registry, name, args):
    def unknown(**args):
        return {"error": f"no tool {json.dumps(name)}", "sent": args}

    return json.dumps(registry.get(name, unknown)(**args))
