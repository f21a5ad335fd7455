"""A submission: the code cells of a notebook or a Python file, not yet run."""

import json
import re
import warnings
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from labkit.errors import LabError

LARGEST_FILE = 64 << 20  # a notebook with pictures in its outputs is soon large
LARGEST_CODE = 1 << 20
MOST_BRACKETS = 2_000_000  # each is 80 bytes of memory once it is read


@dataclass(frozen=True)
class Cell:
    """A piece of code, its name ("cell 7", or the file's), and where it begins."""

    source: str
    name: str
    first_line: int = 1


@dataclass(frozen=True)
class Submission:
    """The code of one file, in order; `notebook` says whether the file was one."""

    name: str
    cells: list[Cell]
    notebook: bool

    def to_json(self) -> dict[str, Any]:
        """As JSON, to be sent to where the code runs."""
        return {"notebook": self.notebook, "cells": [vars(c) for c in self.cells]}


def read_submission(path: Path) -> Submission:
    """The submission in a .ipynb or .py file; LabError says why it cannot be graded."""
    if not path.exists():
        raise LabError(f"{path}: there is no such file; check the name.")
    if not path.is_file():
        raise LabError(f"{path}: not a regular file; give a .ipynb or a .py file.")
    if path.stat().st_size > LARGEST_FILE:
        raise _too_large(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LabError(f"{path}: cannot be read ({error.strerror}).") from None
    return submission_from(str(path), data)


def submission_from(name: str, data: bytes) -> Submission:
    """The submission in a file of this name that holds these bytes.

    LabError says why it cannot be graded. The bytes may come from anybody; nothing of
    them is compiled here.
    """
    path = PurePath(name)
    if len(data) > LARGEST_FILE:
        raise _too_large(path)
    text = _text(path, data)
    if re.search(r"^<{7} ", text, re.MULTILINE) and re.search(
        r"^>{7} ", text, re.MULTILINE
    ):
        raise LabError(
            f"{path}: git conflict marks stand in it; resolve the conflict and save it."
        )
    if path.suffix.lower() == ".py":
        if text.lstrip().startswith("{") and '"cells"' in text:
            raise LabError(f"{path}: this is a notebook; name it {path.stem}.ipynb.")
        cells = percent_cells(path.name, text)
    elif path.suffix.lower() == ".ipynb":
        cells = _notebook_cells(path, text)
    else:
        raise LabError(f"{path}: not a submission; give a .ipynb or a .py file.")
    if sum(len(cell.source) for cell in cells) > LARGEST_CODE:
        raise LabError(f"{path}: more than 1 MiB of code; leave in only your answer.")
    return Submission(path.stem, cells, path.suffix.lower() == ".ipynb")


def _too_large(path: PurePath) -> LabError:
    return LabError(f"{path}: larger than 64 MiB; clear its outputs and save it.")


def _text(path: PurePath, data: bytes) -> str:
    if not data.strip():
        raise LabError(f"{path}: the file is empty; save your work into it again.")
    if b"\0" in data:
        raise LabError(f"{path}: holds null bytes; save it as plain UTF-8 text.")
    return data.decode("utf-8-sig", errors="replace")


def percent_cells(name: str, text: str) -> list[Cell]:
    """A file cut at its `# %%` lines, each of which begins a cell."""
    lines = re.split(r"\r\n|\r|\n", text)
    starts = [n for n, line in enumerate(lines) if re.match(r"# ?%%", line)]
    bounds = sorted({0, *starts, len(lines)})
    return [
        Cell("\n".join(lines[start:end]), name, start + 1)
        for start, end in pairwise(bounds)
    ]


def _notebook_cells(path: PurePath, text: str) -> list[Cell]:
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise LabError(f"{path}: far too much data in it; clear its outputs, save it.")
    try:
        numbered = enumerate(_all_cells(json.loads(text), text), 1)
        cells = [
            Cell("".join(cell["source"]), f"cell {n}")
            for n, cell in numbered
            if cell["cell_type"] == "code"
        ]
    except (ValueError, RecursionError) as error:
        raise LabError(f"{path}: {_why_not_json(text, error)}") from None
    except (KeyError, TypeError, AttributeError):
        raise LabError(
            f"{path}: JSON, but not a notebook; save it from Jupyter again."
        ) from None
    if not any(cell.source.strip() for cell in cells):
        raise LabError(
            f"{path}: the notebook has no code; write your answer in a cell."
        )
    return cells


def _all_cells(notebook: Any, text: str) -> Any:
    """A notebook's cells. Those of format 4 are taken even where it is not valid."""
    if notebook.get("nbformat", 4) >= 4:
        return notebook["cells"]
    import nbformat  # a tenth of a second, and only old notebooks need it

    try:
        with warnings.catch_warnings(action="ignore"):
            return nbformat.reads(text, as_version=4).cells  # type: ignore[no-untyped-call]
    except Exception as error:  # whatever its converters stumble over
        raise TypeError(str(error)) from None


def _why_not_json(text: str, error: Exception) -> str:
    if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
        return "cut off before its end, so no notebook; save it from Jupyter again."
    where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else error
    return f"not JSON ({where}), so no notebook; save it from Jupyter again."
