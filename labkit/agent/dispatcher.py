"""From a name the model wrote to a function of ours, and to nothing else."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Functions = Mapping[str, Callable[..., Any]]


def build_registry(
    tools: Iterable[dict[str, Any]], functions: Functions
) -> dict[str, Callable[..., Any]]:
    """The function behind each declared tool, by name, and no other function.

    Raises ValueError naming every declared tool that has no function: that mistake is
    the programmer's, so it must not wait until a model makes the call.
    """
    names = [tool["function"]["name"] for tool in tools]
    missing = [name for name in names if name not in functions]
    if missing:
        raise ValueError(f"declared tools without a function: {', '.join(missing)}")
    return {name: functions[name] for name in names}


def dispatch(registry: Functions, name: str, args: dict[str, Any]) -> str:
    """What the named tool returned, as JSON text; an unknown name gives an error."""
    if name not in registry:
        known = ", ".join(sorted(registry))
        return json.dumps({"error": f"there is no tool {name!r}; there are: {known}"})
    return json.dumps(registry[name](**args), ensure_ascii=False, allow_nan=False)
