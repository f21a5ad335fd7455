"""Reading a submission: its cells, or one sentence that says why there are none."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.submission import read_submission, submission_from
from labkit.errors import LabError


def notebook(*cells: Any, **fields: Any) -> str:
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
        | fields
    )


def code(source: Any, **fields: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "source": source, "metadata": {}, "id": "a"}
    return cell | {"outputs": [], "execution_count": None} | fields


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


MARKDOWN = {"cell_type": "markdown", "source": "# Title", "metadata": {}, "id": "b"}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.py", b"", "empty"),
        ("a.py", b"  \n", "empty"),
        ("a.ipynb", b"", "empty"),
        ("a.py", b"x = 1\0", "null bytes"),
        ("a.py", b"#" * (2 << 20), "more than 1 MiB of code"),
        ("a.py", b"#" * (65 << 20), "larger than 64 MiB"),
        ("a.py", notebook(code("x = 1")), "this is a notebook; name it a.ipynb"),
        ("a.txt", b"x = 1", "not a submission"),
        ("a.ipynb", notebook(code("x"))[:80], "cut off"),
        (
            "a.ipynb",
            "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n",
            "conflict marks",
        ),
        ("a.py", "<<<<<<< HEAD\nx = 1\n=======\n>>>>>>> x\n", "conflict marks"),
        ("a.ipynb", "not json at all", "not JSON"),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": 5}]}', "not a note"),
        ("a.ipynb", "[]", "not a notebook"),
        ("a.ipynb", notebook(), "no code"),
        ("a.ipynb", notebook(MARKDOWN), "no code"),
        ("a.ipynb", "[" * 100_000, "not JSON"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(
    tmp_path: Path, name: str, content: str | bytes, words: str
) -> None:
    path = saved(tmp_path, name, content)
    with pytest.raises(LabError, match=words) as error:
        read_submission(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="no such file"):
        read_submission(tmp_path / "gone.py")
    with pytest.raises(LabError, match="not a regular file"):
        read_submission(tmp_path)


def test_cells_are_named_as_one_counts_them_in_the_notebook(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.ipynb", notebook(MARKDOWN, code("x = 1"), code("y = 2")))
    names = [(c.name, c.source) for c in read_submission(path).cells]
    assert names == [("cell 2", "x = 1"), ("cell 3", "y = 2")]


@pytest.mark.parametrize(
    "content",
    [
        notebook(code(["x =", " 1"])),
        notebook(code("x = 1", outputs=[{"output_type": "nonsense"}])),
        notebook(code("x = 1"), metadata={"kernelspec": {"name": "julia"}}),
        notebook({"cell_type": "code", "source": "x = 1", "outputs": []}),
        json.dumps(
            {
                "nbformat": 3,
                "nbformat_minor": 0,
                "metadata": {"name": ""},
                "worksheets": [
                    {"cells": [{"cell_type": "code", "input": "x = 1", "outputs": []}]}
                ],
            }
        ),
    ],
    ids=["list", "outputs", "kernel", "no ids", "nbformat 3"],
)
def test_outputs_metadata_and_old_formats_do_not_matter(
    tmp_path: Path, content: str
) -> None:
    path = saved(tmp_path, "Lab 3 (1) copy.IPYNB", content)
    assert [c.source for c in read_submission(path).cells] == ["x = 1"]


def test_a_percent_file_is_cut_into_cells_with_their_lines(tmp_path: Path) -> None:
    path = saved(
        tmp_path, "a.py", "import json\r\n# %% [markdown]\r\n# %%\r\nx = 1\r\n"
    )
    cells = read_submission(path).cells
    assert [(c.first_line, c.source) for c in cells] == [
        (1, "import json"),
        (2, "# %% [markdown]"),
        (3, "# %%\nx = 1\n"),
    ]


def test_a_byte_order_mark_and_bytes_that_are_not_utf8_are_read(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.py", b"\xef\xbb\xbfx = 1  # caf\xe9")
    assert read_submission(path).cells[0].source.startswith("x = 1")


def test_pictures_in_the_outputs_do_not_make_a_notebook_too_large(
    tmp_path: Path,
) -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "A" * (3 << 20)}}
    path = saved(tmp_path, "a.ipynb", notebook(code("x = 1", outputs=[picture])))
    assert read_submission(path).cells[0].source == "x = 1"


def test_bytes_are_read_as_their_files_name_says() -> None:
    data = notebook(code("x = 1")).encode()
    assert submission_from("in/Lab 3.IPYNB", data).name == "Lab 3"
    with pytest.raises(LabError, match=r"^in/a\.py: this is a notebook"):
        submission_from("in/a.py", data)


def test_more_data_than_any_notebook_has_is_not_taken_apart() -> None:
    data = b'{"cells": [' + b"[]," * 2_000_000 + b"1]}"
    with pytest.raises(LabError, match="far too much data"):
        submission_from("a.ipynb", data)


WORDS = ["cells", "cell_type", "source", "code", "nbformat", "worksheets", "input"]
LEAF = st.none() | st.booleans() | st.integers(0, 5) | st.sampled_from(WORDS)
JSON = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_a_notebook_or_one_sentence(value: Any) -> None:
    sources, said = [""], "a.ipynb: "
    try:
        read = submission_from("a.ipynb", json.dumps(value).encode())
        sources = [cell.source for cell in read.cells]
    except LabError as error:
        said = str(error)
    assert all(isinstance(source, str) for source in sources)
    assert said.startswith("a.ipynb: ")
    assert "\n" not in said


@given(st.binary(max_size=200))
def test_any_bytes_are_a_file_or_one_sentence(data: bytes) -> None:
    for name in ("a.py", "a.ipynb"):
        with suppress(LabError):
            assert submission_from(name, data).cells
