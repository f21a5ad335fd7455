"""fails: leads_to_its_own_function"""

import json

from labkit.shop import Shop

shop = Shop()


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if not hasattr(shop, name)]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return {name: getattr(shop, name) for name in names}


def dispatch(registry, name, args):
    if name not in registry:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[name](**args))
