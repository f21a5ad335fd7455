import json
from difflib import get_close_matches


def build_registry(tools, functions):
    names = [t["function"]["name"] for t in tools if t["type"] == "function"]
    if len(set(names)) < len(names):
        raise ValueError("a tool is declared twice")
    for name in names:
        if name not in functions:
            raise ValueError(f"Declared: {names}. Written: {list(functions)}")
    return dict(zip(names, map(functions.get, names)))


def dispatch(registry, name, args):
    if name not in registry:
        close = get_close_matches(name, registry, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        return json.dumps({"error": f"There is no tool {name!r}.{hint}"})
    try:
        return json.dumps(registry[name](**args))
    except Exception as error:
        return json.dumps({"error": f"{name}: {type(error).__name__}: {error}"})
