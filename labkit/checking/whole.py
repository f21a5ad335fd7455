"""A whole agent out of the learner's parts and, where they are missing, the finished.

Each lesson replaces one part of a whole that works; this puts the parts in.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType
from typing import Any

from labkit import agent
from labkit.agent import loop
from labkit.checking.written import INSTEAD, unwritten


def lent_parts(names: dict[str, Any], parts: Iterable[str]) -> list[str]:
    """The parts for which the finished code acts in place of what was given."""
    missing = unwritten(names, parts)
    methods = vars(agent.Agent) if "MyAgent" in names else {}
    around: set[str] = set()
    for namespace in _namespaces(names.values()):
        around |= namespace.keys() & unwritten(namespace, missing).keys()
    return [p for p in missing if p in names.keys() | methods.keys() | around]


@contextmanager
def whole_agent(
    names: dict[str, Any], parts: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """The names with a complete `MyAgent` among them.

    While this lasts, a learner's function stands in the loop itself, in place of the
    finished one, and a finished one in place of a function that is still a stub.
    """
    missing = unwritten(names, parts)
    lent = [name for part in missing for name in INSTEAD.get(part, (part,))]
    finished = vars(agent.Agent)
    methods = {name: finished[name] for name in lent if name in finished}
    given = names.get("MyAgent", agent.Agent)
    functions = {part: getattr(agent, part) for part in missing if hasattr(agent, part)}
    own = names.keys() & vars(loop).keys() - missing.keys() - {"MyAgent"}
    with _bound(vars(loop), {name: names[name] for name in own}), ExitStack() as stack:
        for namespace in _namespaces(names.values()):
            stubs = namespace.keys() & unwritten(namespace, functions).keys()
            lending = {name: functions[name] for name in stubs}
            stack.enter_context(_bound(namespace, lending))
        yield names | functions | {"MyAgent": type("MyAgent", (given,), methods)}


@contextmanager
def _bound(namespace: dict[str, Any], names: dict[str, Any]) -> Iterator[None]:
    """While this lasts, the names of a namespace stand for these things."""
    before = {name: namespace[name] for name in names}
    namespace.update(names)
    try:
        yield
    finally:
        namespace.update(before)


def _namespaces(things: Iterable[Any]) -> list[dict[str, Any]]:
    """Where the learner's functions and methods look their names up."""
    found: dict[int, dict[str, Any]] = {}
    for thing in things:
        for own in [thing, *(vars(thing).values() if isinstance(thing, type) else ())]:
            if isinstance(own, FunctionType):
                found[id(own.__globals__)] = own.__globals__
    return list(found.values())
