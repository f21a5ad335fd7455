"""Code as it stands in an assembled file: short heads, one-line docstrings."""

import ast
import copy
import dis
import json
import re
import textwrap
from collections.abc import Iterator
from types import CodeType
from typing import Any

WIDTH = 88
MACHINE_REMARKS = re.compile(r"  # (type: ignore|noqa).*$", re.MULTILINE)


def plain_code(source: str, indent: int = 0) -> str:
    """A function's code without annotations, its docstring cut to the first line.

    Comments and the body's own lines stay as they are. Anything that is no function is
    only moved to the left margin, or to `indent`.
    """
    source = MACHINE_REMARKS.sub("", textwrap.dedent(source).strip("\n"))
    node = ast.parse(source).body[0]
    if isinstance(node, ast.FunctionDef):
        source = "\n".join(_function_lines(source, node, indent))
    return textwrap.indent(source, " " * indent)


def body_size(source: str) -> int:
    """How many lines of a function's body are code: no docstring, comment or blank."""
    lines = plain_code(source).splitlines()
    node = ast.parse("\n".join(lines)).body[0]
    if not isinstance(node, ast.FunctionDef):
        return 0
    body = node.body[1:] if ast.get_docstring(node) else node.body
    first = body[0].lineno if body else len(lines) + 1
    code = (line.strip() for line in lines[first - 1 :])
    return sum(bool(line) and not line.startswith("#") for line in code)


def names_read(source: str) -> set[str]:
    """Every name that some code looks up outside of itself, builtins among them."""
    return set(_looked_up(compile(textwrap.dedent(source), "<part>", "exec")))


def literal(value: Any, indent: int = 0) -> str:
    """A JSON value as Python code, a line for each item, long texts in pieces."""
    pad = " " * (indent + 4)
    if isinstance(value, dict):
        items = [f"{quoted(k)}: {literal(v, indent + 4)}" for k, v in value.items()]
        inside = "".join(f"{pad}{item},\n" for item in items)
        return f"{{\n{inside}{' ' * indent}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(item, indent + 4) for item in value)}]"
    if isinstance(value, str) and len(value) > WIDTH - indent - 24:
        pieces = textwrap.wrap(value, WIDTH - indent - 12, drop_whitespace=False)
        inside = "".join(f"{pad}{quoted(piece)}\n" for piece in pieces)
        return f"(\n{inside}{' ' * indent})"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """A text as Python code, in double quotes where it can be."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else repr(text)


def _looked_up(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _looked_up(inner)


def _function_lines(source: str, node: ast.FunctionDef, indent: int) -> list[str]:
    lines = source.splitlines()
    first, text = node.body[0], ast.get_docstring(node)
    decorators = lines[: node.lineno - 1]
    if text is None:
        body = lines[first.lineno - 1 :]
        if first.lineno == node.lineno:  # all on one line
            body[0] = f"    {body[0][first.col_offset :]}"
        return [*decorators, *_head(node, indent), *body]
    docstring = f'    """{text.splitlines()[0]}"""'
    rest = lines[first.end_lineno :]
    return [*decorators, *_head(node, indent), docstring, *rest]


def _head(node: ast.FunctionDef, indent: int) -> list[str]:
    """The `def` line without annotations; in three or more where it is too long."""
    arguments = copy.deepcopy(node.args)
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    listed = ast.unparse(arguments)
    line = f"def {node.name}({listed}):"
    if len(line) + indent <= WIDTH:
        return [line]
    inside = textwrap.wrap(listed + ",", WIDTH - indent - 4)
    return [f"def {node.name}(", *(f"    {part}" for part in inside), "):"]
