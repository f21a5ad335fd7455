import json


def build_registry(tools, functions):
    names = (tool["function"]["name"] for tool in tools)
    return {name: functions[name] for name in names}


def dispatch(registry, name, args):
    try:
        function = registry[name]
    except KeyError as error:
        return json.dumps({"error": f"unknown tool: {error}"})
    return json.dumps(function(**args))
