"""Right answers to lesson 3, and notebooks around them."""

import json
from pathlib import Path
from typing import Any

from labkit.lab import lab_folder

GOOD = (lab_folder() / "checkers/right/lesson_03_loop/reference_style.py").read_text(
    encoding="utf-8"
)
STARTER = (lab_folder() / "notebooks/lesson_03_loop.ipynb").read_bytes()
SOLVED = (lab_folder() / "notebooks/solved/lesson_03_loop.ipynb").read_bytes()
IN_STEP = "    def step(self, result):\n"


def step_with(*lines: str, good: str = GOOD) -> str:
    """The right answer with these lines at the top of its `step`."""
    body = "".join(f"        {line}\n" for line in lines)
    assert IN_STEP in good
    return good.replace(IN_STEP, IN_STEP + body)


def cell(source: str | list[str], kind: str = "code", **fields: Any) -> dict[str, Any]:
    """A cell as Jupyter saves it."""
    made: dict[str, Any] = {"cell_type": kind, "source": source, "metadata": {}}
    if kind == "code":
        made |= {"outputs": [], "execution_count": None}
    return made | fields


def notebook(*cells: str | dict[str, Any], **fields: Any) -> bytes:
    """A notebook of these cells, a text being a code cell."""
    whole = [cell(one) if isinstance(one, str) else one for one in cells]
    made = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": whole}
    return json.dumps(made | fields).encode()


def write(folder: Path, name: str, content: bytes | str) -> Path:
    """The file, written."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
