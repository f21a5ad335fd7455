"""One source, two notebooks: holes, whole bodies, and refused markers."""

import json
from pathlib import Path
from typing import Any

import pytest

from labkit.authoring.build import KINDS, built, exercises, paths, sources, stale
from labkit.authoring.exercise import read_exercise
from labkit.authoring.table import readme, with_table
from labkit.errors import LabError

STEP = "# exercise: labkit.agent.loop:Agent.step"
IMPORTS = "from labkit import Agent, Result, parse_tool_calls"


def source(folder: Path, *cells: str) -> Path:
    path = folder / "source" / "lesson_98_x.py"
    path.parent.mkdir()
    path.write_text("\n\n".join(cells) + "\n")
    return path


def cells(text: str) -> list[dict[str, Any]]:
    notebook: dict[str, Any] = json.loads(text)
    return [c | {"source": "".join(c["source"])} for c in notebook["cells"]]


def test_the_learner_gets_a_hole_and_the_solved_notebook_the_body(
    tmp_path: Path,
) -> None:
    path = source(tmp_path, f"# %%\n{IMPORTS}", f"# %%\n{STEP}")
    hole, body = (cells(built(path, kind))[1]["source"] for kind in KINDS)
    assert hole.startswith("class MyAgent(Agent):\n    def step(self, result: Result)")
    assert hole.endswith('"""\n        # TODO: about 14 lines')
    assert 'return "provider_error"' in body
    assert "TODO" not in body
    for text in (hole, body):
        compile(text, "cell", "exec")


def test_a_function_stands_in_a_cell_of_its_own(tmp_path: Path) -> None:
    marker = "# exercise: labkit.agent.dispatcher:dispatch"
    imports = "import json\nfrom typing import Any\nfrom labkit import Functions"
    path = source(tmp_path, f"# %%\n{imports}", f"# %%\n{marker}")
    hole = cells(built(path, "student"))[1]["source"]
    assert hole.startswith("def dispatch(registry: Functions, name: str")
    assert hole.endswith("    # TODO: about 4 lines")


def test_the_named_keys_of_an_assignment_become_blanks(tmp_path: Path) -> None:
    marker = "# exercise: labkit.shop.schemas:LOOKUP_ORDER description required"
    path = source(tmp_path, f"# %%\n{marker}")
    hole, whole = (cells(built(path, kind))[0]["source"] for kind in KINDS)
    assert '"description": ...' in hole
    assert '"required": ...' in hole
    assert '"name": "lookup_order"' in hole
    assert "..." not in whole
    names: dict[str, Any] = {}
    exec(hole, names)
    assert names["LOOKUP_ORDER"]["function"]["name"] == "lookup_order"


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = source(tmp_path, f"# %%\n{IMPORTS}", f"# %%\n{STEP}", "# %%\n1", "# %%\n1")
    assert built(path, "student") == built(path, "student")


def test_cell_ids_come_from_what_a_cell_says(tmp_path: Path) -> None:
    path = source(tmp_path, "# %%\n1", "# %%\n1", "# %% [markdown]\n# Text")
    first, second, third = (cell["id"] for cell in cells(built(path, "student")))
    assert second == f"{first}-2"
    assert third not in (first, second)


def test_lines_between_begin_and_end_stand_in_one_notebook_only(
    tmp_path: Path,
) -> None:
    cell = "# %%\n# begin student\nx = 1\n# end\n# begin solved\nx = 2\n# end\ny = 3"
    path = source(tmp_path, cell)
    assert cells(built(path, "student"))[0]["source"] == "x = 1\ny = 3"
    assert cells(built(path, "solved"))[0]["source"] == "x = 2\ny = 3"


@pytest.mark.parametrize(
    ("cell", "line", "words"),
    [
        ("# begin student\nx = 1", 2, "has no end"),
        ("x = 1\n# end", 3, "unbalanced"),
        ("# begin everybody\n# end", 2, "unknown"),
        ("# begin solved\n# begin student\n# end", 3, "nested"),
        ("# begin solved\n# end solved", 3, "unbalanced"),
        ("# exercise: labkit.agent.loop:Agent.leap", 2, "no finished code"),
        ("# exercise:", 2, "no finished code"),
        (f"{STEP}\nx = 1", 2, "something else"),
        (STEP, 2, "step uses Agent, Result, parse_tool_calls"),
        ("# exercise: labkit.shop.schemas:LOOKUP_ORDER colour", 2, "has no colour"),
    ],
)
def test_a_wrong_marker_is_refused_with_file_and_line(
    tmp_path: Path, cell: str, line: int, words: str
) -> None:
    path = source(tmp_path, f"# %%\n{cell}")
    with pytest.raises(LabError, match=words) as error:
        built(path, "student")
    assert str(error.value).startswith(f"{path}, line {line}: ")


def test_a_hole_is_counted_without_comments_and_blank_lines() -> None:
    assert read_exercise("labkit.agent.loop:Agent.step").size == 14
    assert read_exercise("labkit.shop.schemas:LOOKUP_ORDER required").size == 1


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_the_notebooks_in_the_tree_are_what_their_sources_build(path: Path) -> None:
    assert list(stale(path)) == []


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_no_hole_is_larger_than_fourteen_lines(path: Path) -> None:
    assert [e.part for e in exercises(path) if e.size > 14] == []


def test_a_notebook_that_was_changed_by_hand_is_noticed(lab_copy: Path) -> None:
    path = lab_copy / "notebooks" / "source" / "lesson_03_loop.py"
    student = paths(path)["student"]
    student.write_text(student.read_text().replace("The loop", "The hoop"))
    assert [fault.partition(" is ")[0] for fault in stale(path)] == [
        "lesson_03_loop.ipynb (student)"
    ]


def test_the_table_in_the_readme_is_the_one_the_sources_make() -> None:
    text = readme().read_text(encoding="utf-8")
    assert with_table(text) == text
    assert "`step` | 14 |" in text
