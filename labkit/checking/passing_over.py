"""Statements that need what is not here, passed over while a submission is loaded.

A notebook shows recordings between its exercises. Where strangers' code runs there are
none, and the part that a lesson asks for is missing from the library: that is the
lab's doing, and no fault of a statement that comes upon it.
"""

import ast
from collections.abc import Callable

from labkit.checking.written import NotStarted
from labkit.lab import NoRecordings

Execute = Callable[[ast.Module], None]


def execute_all(tree: ast.Module, where: str, execute: Execute, lost: set[str]) -> None:
    """Execute a cell; a statement that needs what is not here is left out.

    `lost` are the names that were to be changed in such statements; whatever fails for
    want of one of them is left out as well.
    """
    rest = tree.body
    while rest:
        try:
            return execute(ast.Module(rest, []))
        except (NoRecordings, NotStarted, NameError, LookupError) as error:
            place = _place(rest, error, where)
            if not _is_ours(error, rest[place], lost):
                raise
            lost |= _changed(rest[place])
            rest = rest[place + 1 :]


def _place(body: list[ast.stmt], error: BaseException, where: str) -> int:
    """Which of the statements raised an error."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == where and code.co_name == "<module>":
            ends = [statement.end_lineno or 0 for statement in body]
            return next(n for n, end in enumerate(ends) if trace.tb_lineno <= end)
        trace = trace.tb_next
    raise error


def _is_ours(error: Exception | NotStarted, left: ast.stmt, lost: set[str]) -> bool:
    """Whether it was the lab that made a statement fail."""
    if isinstance(error, NameError):
        return error.name in lost
    if isinstance(error, LookupError):
        return not lost.isdisjoint(_names(left))
    return True


def _changed(left: ast.stmt) -> set[str]:
    """The names that get a value in a statement, or whose methods are called in it."""
    calls = (node.func for node in ast.walk(left) if isinstance(node, ast.Call))
    owners = (f.value for f in calls if isinstance(f, ast.Attribute))
    return _names(left, ast.Store) | {o.id for o in owners if isinstance(o, ast.Name)}


def _names(left: ast.stmt, context: type = ast.expr_context) -> set[str]:
    found = (node for node in ast.walk(left) if isinstance(node, ast.Name))
    return {node.id for node in found if isinstance(node.ctx, context)}
