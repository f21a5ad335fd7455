import json


def build_registry(tools, functions):
    declared = {tool["function"]["name"] for tool in tools}
    assert declared <= set(functions), f"no function for {declared - set(functions)}"
    return {name: f for name, f in functions.items() if name in declared}


def dispatch(registry, name, args):
    function = registry.get(name)
    if function:
        return json.dumps(function(**args), indent=2, sort_keys=True, default=str)
    return json.dumps({"error": "unknown tool", "tool": name, "known": [*registry]})
