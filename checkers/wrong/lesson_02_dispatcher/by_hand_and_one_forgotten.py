"""fails: leads_to_its_own_function"""

import json


def build_registry(tools, functions):
    for tool in tools:
        if tool["function"]["name"] not in functions:
            raise ValueError(f"nobody wrote {tool['function']['name']}")
    return {
        "lookup_order": functions["lookup_order"],
        "list_orders": functions["list_orders"],
        "shipping_rate": functions["shipping_rate"],
        "calculator": functions["calculator"],
        "refund": functions["refund"],
    }


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
