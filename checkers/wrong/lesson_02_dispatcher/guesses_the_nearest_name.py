"""fails: runs_only_the_exact_name"""

import json
from difflib import get_close_matches


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return {name: functions[name] for name in names}


def dispatch(registry, name, args):
    close = get_close_matches(name, registry, n=1, cutoff=0.8)
    if not close:
        return json.dumps({"error": f"there is no tool called {name}"})
    return json.dumps(registry[close[0]](**args))
