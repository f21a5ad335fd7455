"""Exercise cells: the finished code, with its body or with a hole in its place."""

import ast
import builtins
from dataclasses import dataclass
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
    lines = list(exercise.cut.lines)
    for value in _blank_values(exercise):
        first, last = value.lineno - 1, (value.end_lineno or value.lineno) - 1
        rest = lines[last][value.end_col_offset or 0 :]
        lines[first] = lines[first][: value.col_offset] + "..." + rest
        lines[first + 1 : last + 1] = [""] * (last - first)
    return "\n".join(line for line in lines if line)


def _blank_values(exercise: Exercise) -> list[ast.expr]:
    """The values of the named keys, the last in the text first."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(exercise.cut.node):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if isinstance(key, ast.Constant) and key.value in exercise.blanks:
                    found.setdefault(str(key.value), value)
    if missing := set(exercise.blanks) - found.keys():
        raise LabError(f"{exercise.part} has no {', '.join(sorted(missing))}")
    return sorted(found.values(), key=lambda value: -value.lineno)


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
