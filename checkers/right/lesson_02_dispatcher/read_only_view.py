import json
from types import MappingProxyType


def build_registry(tools, functions):
    table = {}
    for tool in tools:
        name = tool["function"]["name"]
        if not callable(functions.get(name)):
            raise LookupError(name)
        table[name] = functions[name]
    return MappingProxyType(table)


def dispatch(registry, name, args):
    known = sorted(registry)
    if name in known:
        return json.dumps(registry[name](**args), ensure_ascii=False)
    return json.dumps({"error": {"type": "unknown_tool", "name": name}, "known": known})
