"""fails: answers_with_json"""

import json

from labkit import dispatch as finished


def build_registry(tools, functions):
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"nobody wrote {', '.join(missing)}")
    return {name: functions[name] for name in names}


def dispatch(registry, name, args):
    return finished(registry, name, args)
