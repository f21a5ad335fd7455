import json


class MissingTools(Exception):
    def __init__(self, names):
        super().__init__("missing: " + "; ".join(names))


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    if missing := [name for name in names if name not in functions]:
        raise MissingTools(missing)
    return {n: (lambda f=functions[n], **args: f(**args)) for n in names}


def dispatch(registry, name, args):
    unknown = name not in registry
    value = {"error": f"{name}: unknown"} if unknown else registry[name](**args)
    return json.dumps(value)
