"""Exercise cells: the finished code, with its body or with a hole in its place."""

import ast
import builtins
import re
from dataclasses import dataclass
from itertools import accumulate
from textwrap import indent

from labkit.errors import LabError
from labkit.finished import Cut, cut


@dataclass(frozen=True)
class Exercise:
    """What a learner writes: a function's body, or the named keys of a dict."""

    cut: Cut
    blanks: tuple[str, ...] = ()

    @property
    def part(self) -> str:
        return self.cut.name

    @property
    def size(self) -> int:
        """How many lines the hole has; comments and blank lines do not count."""
        if self.blanks:
            return len(self.blanks)
        body = (line.strip() for line in self.cut.lines[self.cut.head :])
        return sum(bool(line) and not line.startswith("#") for line in body)


def read_exercise(marker: str) -> Exercise:
    """The exercise a marker names: a target and, of a dict, the keys left blank."""
    target, *blanks = marker.split() or [""]
    return Exercise(cut(target), tuple(blanks))


def exercise_cell(exercises: list[Exercise], solved: bool, bound: set[str]) -> str:
    """The text of an exercise cell; methods stand in one `class MyAgent(Agent):`.

    Raises LabError for a name that a body uses and the notebook does not have.
    """
    for exercise in exercises:
        if unknown := _names_used(exercise) - bound - set(dir(builtins)):
            raise LabError(
                f"{exercise.part} uses {', '.join(sorted(unknown))}, which no cell "
                "before it imports or defines"
            )
    pieces = [_solved(e) if solved else _with_hole(e) for e in exercises]
    if not exercises[0].cut.is_method:
        return "\n\n\n".join(pieces)
    body = indent("\n\n".join(pieces), "    ")
    return f"class MyAgent(Agent):\n{body}"


def _solved(exercise: Exercise) -> str:
    return exercise.cut.text


def _with_hole(exercise: Exercise) -> str:
    if exercise.blanks:
        return _with_blanks(exercise)
    head = exercise.cut.lines[: exercise.cut.head]
    return "\n".join([*head, f"    # TODO: about {exercise.size} lines"])


def _with_blanks(exercise: Exercise) -> str:
    """The assignment with `...` in place of each named key's value."""
    text = exercise.cut.text
    starts = [0, *accumulate(len(line) + 1 for line in exercise.cut.lines)]
    for key, value in _blank_items(exercise):
        begin = starts[(key.end_lineno or 0) - 1] + (key.end_col_offset or 0)
        end = starts[(value.end_lineno or 0) - 1] + (value.end_col_offset or 0)
        opened = text[begin : starts[value.lineno - 1] + value.col_offset].count("(")
        rest = re.sub(rf"^(\s*\)){{{opened}}}", "", text[end:])
        text = f"{text[:begin]}: ...{rest}"
    return text


def _blank_items(exercise: Exercise) -> list[tuple[ast.expr, ast.expr]]:
    """The outermost items under the named keys, the last in the text first."""
    found: dict[str, tuple[ast.expr, ast.expr]] = {}
    for node in ast.walk(exercise.cut.node):
        for key, value in zip(*_items(node)):
            if isinstance(key, ast.Constant) and key.value in exercise.blanks:
                found.setdefault(str(key.value), (key, value))
    if missing := set(exercise.blanks) - found.keys():
        raise LabError(f"{exercise.part} has no {', '.join(sorted(missing))}")
    return sorted(found.values(), key=lambda item: -item[0].lineno)


def _items(node: ast.AST) -> tuple[list[ast.expr | None], list[ast.expr]]:
    return (node.keys, node.values) if isinstance(node, ast.Dict) else ([], [])


def _names_used(exercise: Exercise) -> set[str]:
    """The names that the code reads and does not bind itself."""
    read, own = set(), {"self"}
    if exercise.cut.is_method:
        read.add("Agent")
    for node in ast.walk(exercise.cut.node):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else own).add(node.id)
        if isinstance(node, ast.arg):
            own.add(node.arg)
        if isinstance(node, ast.FunctionDef):
            own.add(node.name)
        if isinstance(node, ast.ExceptHandler) and node.name:
            own.add(node.name)
    return read - own
