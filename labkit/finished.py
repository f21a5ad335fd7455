"""The finished code, cut out of its file by line, so that comments stay."""

import ast
import importlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from labkit.errors import LabError


@dataclass(frozen=True)
class Cut:
    """A piece of finished code: its lines, and how many of them stand above the body.

    For an assignment `head` is 0. `node` is its syntax tree, lines counted from 1.
    """

    target: str
    lines: list[str]
    head: int
    node: ast.stmt

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def name(self) -> str:
        """The name it is asked for by, without its class."""
        return self.target.rpartition(":")[2].rpartition(".")[2]

    @property
    def is_method(self) -> bool:
        return "." in self.target.rpartition(":")[2]


def cut(target: str) -> Cut:
    """The code behind "module:function", "module:Class.method" or "module:NAME".

    Raises LabError if there is no such thing.
    """
    module_name, _, path = target.partition(":")
    try:
        file = inspect.getsourcefile(importlib.import_module(module_name))
        text = Path(file or "").read_text(encoding="utf-8")
        found = _find(ast.parse(text).body, path.split("."))
    except (ImportError, LookupError, OSError, ValueError, TypeError):
        raise LabError(f"there is no finished code {target!r}") from None
    lines = text.splitlines()[found.lineno - 1 : found.end_lineno]
    own = dedent("\n".join(lines)).splitlines()
    node = ast.parse("\n".join(own)).body[0]
    head = _body_start(node) - 1 if isinstance(node, ast.FunctionDef) else 0
    return Cut(target, own, head, node)


def target_of(part: str) -> str:
    """Where the finished code of an exercise stands, by the exercise's name."""
    from labkit.checking.written import VALUES, library_version

    if part in VALUES:
        return f"labkit.shop.schemas:{part}"
    function = library_version(part)
    if function is None:
        raise LabError(f"there is no finished code for {part!r}")
    return f"{function.__module__}:{function.__qualname__}"


def _find(body: list[ast.stmt], path: list[str]) -> ast.stmt:
    for node in body:
        if getattr(node, "name", None) == path[0] or _assigned(node) == path[0]:
            inner = getattr(node, "body", [])
            return _find(inner, path[1:]) if path[1:] else node
    raise LookupError(path[0])


def _assigned(node: ast.stmt) -> str | None:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


def _body_start(node: ast.FunctionDef) -> int:
    """The line of the first statement after the docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if documented and len(node.body) > 1:
        # A comment above the body belongs to it: it begins where the docstring ends.
        return (first.end_lineno or 0) + 1
    return first.lineno
