import json


class Dispatcher:
    def table(self, tools, functions):
        names = [tool["function"]["name"] for tool in tools]
        gaps = [name for name in names if functions.get(name) is None]
        if gaps:
            raise Exception("Gaps in the table", gaps)
        return {name: functions[name] for name in names}

    def call(self, registry, name, args):
        if (function := registry.get(name)) is None:
            text = f"No such tool: {name}. Use one of {list(registry)}."
            return json.dumps({"ok": False, "error": text})
        return json.dumps(function(**(args or {})))


build_registry = Dispatcher().table
dispatch = Dispatcher().call
