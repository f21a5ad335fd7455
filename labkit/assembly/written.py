"""What a learner wrote for one part, with all of their own code that it needs."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from types import FunctionType, ModuleType
from typing import Any

from labkit.agent import Agent
from labkit.assembly.plain_code import names_read, plain_code
from labkit.checking.written import INSTEAD, VALUES


@dataclass
class Written:
    """One part as it was written: code by name, and what stands round it.

    `functions` are plain ones, `methods` those of `MyAgent`; `value` is a schema.
    `imports` are import lines, `definitions` the learner's own things by name, `given`
    names of the lab's; `missing` are names that could not be carried over.
    """

    part: str
    functions: dict[str, str] = field(default_factory=dict)
    methods: dict[str, str] = field(default_factory=dict)
    value: Any = None
    imports: list[str] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As JSON, to be kept in a file."""
        return asdict(self)


def written(names: dict[str, Any], part: str) -> Written:
    """What stands for a part among these names, and what that needs.

    Raises OSError or TypeError where the code itself cannot be found.
    """
    found = Written(part)
    if part in VALUES:
        found.value = names[part]
        return found
    if part not in vars(Agent):
        _add_needs(found, found.functions, part, names[part])
        return found
    for name, method in _methods(names["MyAgent"], part):
        _add_needs(found, found.methods, name, method)
    return found


def _methods(owner: type, part: str) -> Iterator[tuple[str, FunctionType]]:
    """The methods that make up a part, and those of their own that Agent has not."""
    wanted = INSTEAD.get(part, (part,))
    seen: set[str] = set()
    for cls in owner.__mro__:
        for name, value in vars(cls).items() if cls not in Agent.__mro__ else ():
            new = name not in vars(Agent) and not name.startswith("__")
            if isinstance(value, FunctionType) and name not in seen:
                if name in wanted or new:
                    yield name, value
                seen.add(name)


def _add_needs(
    found: Written, kept: dict[str, str], name: str, function: FunctionType | type
) -> None:
    """Keep a function's code, and whatever it looks up in the notebook."""
    kept[name] = plain_code(inspect.getsource(function))
    space = getattr(function, "__globals__", None) or vars(
        sys.modules[function.__module__]
    )
    for used in sorted(names_read(kept[name]) & space.keys() - {name}):
        _add_need(found, used, space[used])


def _add_need(found: Written, name: str, value: Any) -> None:
    own = getattr(value, "__module__", None)
    if name in {"Agent", "MyAgent"} | found.definitions.keys() | found.functions.keys():
        return
    if isinstance(value, ModuleType):
        _add_module(found, name, value)
    elif str(own).partition(".")[0] == "labkit":
        _note(found.given, name)
    elif isinstance(value, FunctionType | type) and own in ("__main__", "submission"):
        _add_needs(found, found.definitions, name, value)
    elif own and getattr(sys.modules.get(own), name, None) is value:
        _note(found.imports, f"from {own} import {name}")
    elif _is_literal(value):
        found.definitions[name] = f"{name} = {value!r}"
    else:
        _note(found.missing, name)


def _add_module(found: Written, name: str, module: ModuleType) -> None:
    full = module.__name__
    if full.startswith("labkit.agent."):
        _note(found.given, full.rpartition(".")[2])
    elif full == name:
        _note(found.imports, f"import {name}")
    else:
        _note(found.imports, f"import {full} as {name}")


def _is_literal(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False


def _note(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


def from_finished(
    methods: Mapping[str, Any], names: list[str], space: dict[str, Any]
) -> Written:
    """Finished methods, with what they look up in their own module."""
    found = Written("Agent")
    for name in names:
        found.methods[name] = plain_code(inspect.getsource(methods[name]))
        used = names_read(found.methods[name]) & space.keys()
        for other in sorted(used):
            _add_need(found, other, space[other])
    return found
