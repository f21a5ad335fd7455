import json


class Registry:
    def __init__(self, tools, functions):
        self.functions = functions
        self.names = [tool["function"]["name"] for tool in tools]
        for name in self.names:
            if name not in functions:
                raise NotImplementedError(f"tool {name!r} is declared, not written")

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        return self.functions[name]


def build_registry(tools, functions):
    return Registry(tools, functions)


def dispatch(registry, name, args):
    try:
        function = registry[name]
    except LookupError:
        return json.dumps({"error": f"I have no tool {name!r}."})
    return json.dumps(function(**args))
