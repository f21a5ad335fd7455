"""A whole agent out of the learner's parts and, where they are missing, the finished.

Each lesson replaces one part of a whole that works; this puts the parts in.
"""

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from labkit import agent
from labkit.agent import loop
from labkit.checking.written import INSTEAD, unwritten


def lent_parts(names: dict[str, Any], parts: Iterable[str]) -> list[str]:
    """The parts for which the finished code acts in place of what was given."""
    missing = unwritten(names, parts)
    methods = vars(agent.Agent) if "MyAgent" in names else {}
    return [part for part in missing if part in names or part in methods]


def whole_agent(names: dict[str, Any], parts: Iterable[str]) -> dict[str, Any]:
    """The names with a complete `MyAgent` among them.

    A learner's function is put into the loop itself, in place of the finished one. Do
    this in a process of its own: the loop stays changed.
    """
    missing = unwritten(names, parts)
    lent = [name for part in missing for name in INSTEAD.get(part, (part,))]
    finished = vars(agent.Agent)
    methods = {name: finished[name] for name in lent if name in finished}
    given = names.get("MyAgent", agent.Agent)
    for name, value in names.items():
        if isinstance(value, FunctionType) and name not in missing:
            setattr(loop, name, value)
    functions = {part: getattr(agent, part) for part in missing if hasattr(agent, part)}
    return names | functions | {"MyAgent": type("MyAgent", (given,), methods)}
