import functools
import json


def telling_lookup_errors(function):
    @functools.wraps(function)
    def told(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except LookupError as error:
            return json.dumps({"error": f"LookupError {error}"})

    return told


def build_registry(tools, functions):
    def entry(name):
        functions[name]  # KeyError, with the name, if nobody wrote it

        def later(**args):
            return functions[name](**args)

        return later

    return {tool["function"]["name"]: entry(tool["function"]["name"]) for tool in tools}


@telling_lookup_errors
def dispatch(registry, name, args):
    return json.dumps(registry[name](**args), ensure_ascii=False)
