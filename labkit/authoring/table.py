"""The table of notebooks in the README, made from their sources."""

import re
from pathlib import Path

from labkit.authoring.build import exercises, sources
from labkit.lab import lab_folder

BEGIN, END = "<!-- notebooks: made by labkit dev build -->", "<!-- end of notebooks -->"


def readme() -> Path:
    """The README beside the notebooks; a wheel has none."""
    return lab_folder() / "README.md"


def with_table(text: str) -> str:
    """The README's text with the table as it should be."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{_table()}\n{END}{tail}"


def _table() -> str:
    rows = ["| notebook | you write | lines |", "|---|---|---|"]
    for source in sources():
        parts = exercises(source)
        names = ", ".join(f"`{found.part}`" for found in parts)
        lines = sum(found.size for found in parts)
        rows.append(f"| {_title(source)} | {names} | {lines or ''} |")
    return "\n".join(rows)


def _title(source: Path) -> str:
    heading = re.search(r"^# # (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1] if heading else source.stem
