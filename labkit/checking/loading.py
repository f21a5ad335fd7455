"""Run a submission's cells, one by one; what is broken becomes a note, not an end."""

import ast
import asyncio
import inspect
import linecache
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from types import CodeType, ModuleType
from typing import Any

from labkit import agent
from labkit.checking.passing_over import execute_all
from labkit.checking.plain import described, place

RUN_AS_CODE = ("time", "timeit", "capture", "prun")


@dataclass
class Loaded:
    """What came of loading: the names it left, notes for the reader, the first fault.

    `where` is the cell being loaded; `fault` the first exception, as `described` gives
    it, that ended a cell with an asked name in it.
    """

    names: dict[str, Any]
    where: str = ""
    notes: list[str] = field(default_factory=list)
    fault: dict[str, Any] | None = None

    def execute(self, tree: ast.Module) -> None:
        """Run what stands in the cell that is being loaded."""
        _execute(compile(tree, self.where, "exec", _AWAIT), self.names)

    def note(self, text: str) -> None:
        """Keep a remark once."""
        if text not in self.notes:
            self.notes.append(text)


def load(
    submission: dict[str, Any], asked: Collection[str], alone: bool = True
) -> Loaded:
    """Run a submission's cells in a fresh module; `asked` are the names that count.

    A fault counts as theirs if the cell it ended speaks of one of them. `alone` says
    that the files beside the submission are not there.

    A .py file is run as if it was imported, a notebook as Jupyter runs it.
    """
    module = ModuleType("__main__" if submission["notebook"] else "submission")
    sys.modules[module.__name__] = module
    loaded = Loaded(vars(module))
    loaded.names["get_ipython"] = lambda: _PassedOver(loaded)
    if submission["notebook"]:
        loaded.names["display"] = _show_nothing
    defined: dict[str, list[str]] = {}
    lost: set[str] = set()
    for cell in submission["cells"]:
        loaded.where = where = cell["name"]
        try:
            tree = _parse(cell)
            for name in _names_defined(tree):
                defined.setdefault(name, []).append(_where(cell, tree, name))
            _remember(cell)
            execute_all(tree, where, loaded.execute, lost)
        except BaseException as error:
            fault = described(error)
            if alone and isinstance(error, ModuleNotFoundError):
                fault["message"] += " (this file is checked alone, without its folder)"
            if isinstance(error, EOFError):
                fault["message"] += " (input() has nobody to answer it here)"
            if any(name in cell["source"] for name in asked):
                loaded.fault = loaded.fault or fault
            loaded.note(
                f"{fault['line'] or where}: {fault['type']}: {fault['message']}"
            )
    for name in set(asked) & defined.keys():
        if len(places := defined[name]) > 1:
            loaded.note(
                f"{name} is defined {len(places)} times ({'; '.join(places)}); "
                "the last one counts."
            )
    return loaded


_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def _parse(cell: dict[str, Any]) -> ast.Module:
    """The cell's syntax tree, its lines numbered as in the file."""
    source, name = cell["source"], cell["name"]
    try:
        tree = _tree(source, name)
    except SyntaxError as error:
        try:
            tree = _tree(_without_magics(source), name)
        except SyntaxError:
            error.lineno = (error.lineno or 1) + cell["first_line"] - 1
            raise error from None
    return ast.increment_lineno(tree, cell["first_line"] - 1)


def _tree(source: str, name: str) -> ast.Module:
    tree = compile(source, name, "exec", ast.PyCF_ONLY_AST | _AWAIT)
    assert isinstance(tree, ast.Module)
    return tree


def _without_magics(source: str) -> str:
    """The cell with magics and shell lines made calls of `get_ipython()`."""
    from IPython.core.inputtransformer2 import TransformerManager

    return str(TransformerManager().transform_cell(source))


def _remember(cell: dict[str, Any]) -> None:
    """Keep a cell's text where tracebacks look for it, its lines as in the file."""
    name, before = cell["name"], cell["first_line"] - 1
    kept = linecache.cache.get(name)
    earlier = kept[2] if kept and len(kept) > 2 and before else []
    lines = [*earlier[:before], *[""] * (before - len(earlier))]
    lines += [f"{line}\n" for line in cell["source"].split("\n")]
    linecache.cache[name] = (1, None, lines, name)


def _execute(code: CodeType, names: dict[str, Any]) -> None:
    value = eval(code, names)
    if inspect.iscoroutine(value):
        asyncio.run(value)


def _show_nothing(*objects: Any, **options: Any) -> None:
    """Stands in for IPython's `display`, of which a check sees nothing."""


class _PassedOver:
    """Stands in for IPython: notes each magic and shell line instead of running it."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> None:
        self._note(f"%{name} {line}")

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        self._note(f"%%{name} {line}")
        if name in RUN_AS_CODE:
            where = self.loaded.where
            tree = _parse({"source": cell, "name": where, "first_line": 2})
            self.loaded.execute(tree)

    def system(self, line: str) -> None:
        self._note(f"!{line}")

    def getoutput(self, line: str, *_: Any, **__: Any) -> list[str]:
        self._note(f"!{line}")
        return []

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None

    def _note(self, what: str) -> None:
        self.loaded.note(f"{self.loaded.where}: {what.strip()[:80]} was passed over.")


def _names_defined(tree: ast.Module) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in tree.body if isinstance(node, kinds)]


def _where(cell: dict[str, Any], tree: ast.Module, name: str) -> str:
    line = next(n.lineno for n in tree.body if getattr(n, "name", None) == name)
    return place(cell["name"], line)


def asked_names(parts: Iterable[str]) -> list[str]:
    """The names a submission is looked up by: a method is asked of `MyAgent`."""
    methods = vars(agent.Agent)
    return sorted({"MyAgent" if part in methods else part for part in parts})
