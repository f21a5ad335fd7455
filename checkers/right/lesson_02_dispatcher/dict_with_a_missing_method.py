import json
from typing import Any


class Tools(dict):
    def __missing__(self, name):
        return lambda **args: {"error": f"tool {name} does not exist"}


def build_registry(tools: list[dict[str, Any]], functions: dict[str, Any]) -> Tools:
    registry = Tools()
    missing = []
    for tool in tools:
        name = tool["function"]["name"]
        if name in functions:
            registry |= {name: functions[name]}
        else:
            missing.append(name)
    if missing:
        raise SystemExit(f"Nobody has written: {', '.join(missing)}")
    return registry


def dispatch(registry: dict[str, Any], name: str, args: dict[str, Any]) -> str:
    return json.dumps(Tools(registry)[name](**args))
