"""A whole agent out of the learner's parts and, where they are missing, the finished.

Each lesson replaces one part of a whole that works; this puts the parts in.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from labkit import agent
from labkit.agent import loop
from labkit.checking.written import INSTEAD, unwritten


def lent_parts(names: dict[str, Any], parts: Iterable[str]) -> list[str]:
    """The parts for which the finished code acts in place of what was given."""
    missing = unwritten(names, parts)
    methods = vars(agent.Agent) if "MyAgent" in names else {}
    return [part for part in missing if part in names or part in methods]


@contextmanager
def whole_agent(
    names: dict[str, Any], parts: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """The names with a complete `MyAgent` among them.

    While this lasts, a learner's function stands in the loop itself, in place of the
    finished one.
    """
    missing = unwritten(names, parts)
    lent = [name for part in missing for name in INSTEAD.get(part, (part,))]
    finished = vars(agent.Agent)
    methods = {name: finished[name] for name in lent if name in finished}
    given = names.get("MyAgent", agent.Agent)
    functions = {part: getattr(agent, part) for part in missing if hasattr(agent, part)}
    own = names.keys() & vars(loop).keys() - missing.keys()
    before = {name: getattr(loop, name) for name in own}
    vars(loop).update({name: names[name] for name in own})
    try:
        yield names | functions | {"MyAgent": type("MyAgent", (given,), methods)}
    finally:
        vars(loop).update(before)
