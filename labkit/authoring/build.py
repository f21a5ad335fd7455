"""`labkit dev build`: one source, two notebooks.

The source is py:percent. A cell of `# exercise: module:name` lines becomes the finished
code, whole in the solved notebook and without its body in the learner's. Between
`# begin solved` or `# begin student` and `# end`, lines stand in that notebook only.
"""

import ast
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labkit.authoring.exercise import Exercise, exercise_cell, read_exercise
from labkit.checking.submission import percent_cells
from labkit.errors import LabError
from labkit.lab import lab_folder

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
MARKER = re.compile(r"# (exercise|begin|end)\b:?\s*(.*)")
KINDS = ("student", "solved")


def sources() -> list[Path]:
    """The sources of all notebooks, in their order."""
    return sorted((lab_folder() / "notebooks" / "source").glob("*.py"))


def built(source: Path, kind: str) -> str:
    """The "student" or the "solved" notebook of a source, as the text of its file.

    Raises LabError, naming file and line, for a marker that is unknown or unbalanced.
    """
    import nbformat

    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})  # type: ignore[no-untyped-call]
    seen: dict[str, int] = {}
    bound: set[str] = set()
    for cell in _cells(source):
        text = _with_exercises(source, cell, kind, bound)
        new = f"new_{cell['kind']}_cell"
        id = _cell_id(cell["source"], seen)
        notebook.cells.append(getattr(nbformat.v4, new)(text, id=id))
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def exercises(source: Path) -> list[Exercise]:
    """The exercises of a notebook, in their order."""
    return [e for cell in _cells(source) for e in _exercises(source, cell)]


def paths(source: Path) -> dict[str, Path]:
    """Where the two notebooks of a source are kept."""
    folder = source.parents[1]
    name = f"{source.stem}.ipynb"
    return {"student": folder / name, "solved": folder / "solved" / name}


def build(source: Path) -> list[Path]:
    """Write both notebooks of a source, the solved one with its outputs.

    What comes back are the files that changed.
    """
    changed = []
    for kind, path in paths(source).items():
        text = built(source, kind)
        if kind == "solved":
            text = _executed(source, text)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def stale(source: Path) -> Iterator[str]:
    """Each notebook of a source that is missing or not what the source builds.

    Outputs are left out of the comparison: nbval makes it.
    """
    for kind, path in paths(source).items():
        if not path.exists():
            yield f"{path.name} ({kind}) is missing; run labkit dev build"
        elif _without_outputs(path.read_text(encoding="utf-8")) != built(source, kind):
            yield f"{path.name} ({kind}) is not what {source.name} builds; build it"


def _cells(source: Path) -> Iterator[dict[str, Any]]:
    """The cells of a source: kind, text, and the line on which the text begins."""
    for cell in percent_cells(source.name, source.read_text(encoding="utf-8")):
        header, _, body = cell.source.partition("\n")
        if not header.startswith("# %%"):
            continue  # what stands above the first cell, if anything
        kind, body = "code", body.strip("\n")
        if "[markdown]" in header:
            kind, body = "markdown", re.sub(r"^# ?", "", body, flags=re.MULTILINE)
        yield {"kind": kind, "source": body, "line": cell.first_line + 1}


def _with_exercises(
    source: Path, cell: dict[str, Any], kind: str, bound: set[str]
) -> str:
    """The text of a cell in one of the two notebooks.

    `bound` is what cells before it have imported or defined, and grows by this one's.
    """
    found = _exercises(source, cell)
    text = _only(source, cell, kind)
    if found:
        try:
            text = exercise_cell(found, solved=kind == "solved", bound=bound)
        except LabError as error:
            raise _fault(source, cell["line"], str(error)) from None
    if cell["kind"] == "code":
        bound |= _bound_names(text)
    return text


def _exercises(source: Path, cell: dict[str, Any]) -> list[Exercise]:
    """The exercises a cell asks for; such a cell holds nothing else."""
    if cell["kind"] != "code":
        return []
    found = []
    lines = [line for line in cell["source"].split("\n") if line.strip()]
    for line in lines:
        if (marker := MARKER.match(line)) and marker[1] == "exercise":
            try:
                found.append(read_exercise(marker[2]))
            except LabError as error:
                raise _fault(source, cell["line"], str(error)) from None
    if found and len(found) < len(lines):
        raise _fault(source, cell["line"], "an exercise cell holds something else too")
    return found


def _only(source: Path, cell: dict[str, Any], kind: str) -> str:
    """The lines of a cell that stand in this notebook."""
    kept, inside = [], ""
    for number, line in enumerate(cell["source"].split("\n"), cell["line"]):
        marker = MARKER.match(line) if cell["kind"] == "code" else None
        if marker and marker[1] == "begin":
            if inside or marker[2] not in KINDS:
                raise _fault(source, number, f"unknown or nested marker {line!r}")
            inside = marker[2]
        elif marker and marker[1] == "end":
            if not inside or marker[2]:
                raise _fault(source, number, f"unbalanced or unknown marker {line!r}")
            inside = ""
        elif inside in ("", kind):
            kept.append(line)
    if inside:
        raise _fault(source, cell["line"], f"the begin of {inside!r} has no end")
    return "\n".join(kept)


def _fault(source: Path, line: int, what: str) -> LabError:
    return LabError(f"{source}, line {line}: {what}")


def _bound_names(text: str) -> set[str]:
    names = set()
    code = "\n".join(line for line in text.split("\n") if line[:1] not in ("%", "!"))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.Assign):
            names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return names


def _cell_id(text: str, seen: dict[str, int]) -> str:
    """An id from what the cell says; the same text again gets a number behind it."""
    id = hashlib.sha256(text.encode()).hexdigest()[:12]
    seen[id] = seen.get(id, 0) + 1
    return id if seen[id] == 1 else f"{id}-{seen[id]}"


def _executed(source: Path, text: str) -> str:
    """A notebook with the outputs of one run in text mode; its cells stay as built."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook, timeout=120, record_timing=False, coalesce_streams=True
    )
    try:
        client.execute(env=os.environ | {"LABKIT_DISPLAY": "text"})
    except CellExecutionError as error:
        fault = f"{error.ename}: {error.evalue}"
        raise LabError(f"{source}: a solved cell raised {fault}") from None
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL})  # type: ignore[no-untyped-call]
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def _without_outputs(text: str) -> str:
    import nbformat

    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]
