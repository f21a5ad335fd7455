from operator import itemgetter
from typing import Any

from pydantic import TypeAdapter

JSON = TypeAdapter(Any)


def build_registry(tools, functions):
    names = list(map(itemgetter("name"), map(itemgetter("function"), tools)))
    if not all(map(functions.__contains__, names)):
        raise RuntimeError("no function: " + " ".join(set(names) - functions.keys()))
    return dict(filter(lambda entry: entry[0] in names, functions.items()))


def dispatch(registry, name, args):
    if name in registry:
        return JSON.dump_json(registry[name](**args)).decode()
    return JSON.dump_json({"error": "unknown_tool", "name": name}).decode()
