import inspect
import json


class build_registry(dict):
    def __init__(self, tools, functions):
        super().__init__()
        for tool in tools:
            name = tool["function"]["name"]
            if name not in functions:
                raise ExceptionGroup(f"missing functions: {name}", [KeyError(name)])
            self[name] = functions[name]


def dispatch(registry, tool, arguments, /):
    if tool not in registry:
        error = {"code": 404, "message": "unknown tool", "tool": tool}
        return json.JSONEncoder(separators=(",", ":")).encode({"error": error})
    try:
        inspect.signature(registry[tool]).bind(**arguments)
    except TypeError:
        return json.dumps({"error": f"wrong arguments for {tool}"})
    return json.dumps(registry[tool](**arguments), default=repr)
