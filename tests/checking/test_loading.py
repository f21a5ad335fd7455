"""Loading: cells run one by one, and what is broken is noted."""

from typing import Any

import pytest

from labkit.checking.loading import Loaded, load
from labkit.silence import silent


def loaded(*sources: str, notebook: bool = True, asked: Any = ("x",)) -> Loaded:
    cells = [
        {"source": source, "name": f"cell {n}", "first_line": 1}
        for n, source in enumerate(sources, 1)
    ]
    return load({"notebook": notebook, "cells": cells}, asked)


def test_a_cell_that_does_not_parse_is_noted_and_the_others_run() -> None:
    result = loaded("x = 1", "def f(:\n  pass", "y = x + 1")
    assert result.names["y"] == 2
    [note] = result.notes
    assert note.startswith("cell 2, line 1: SyntaxError")


def test_a_cell_that_raises_is_noted_with_its_line() -> None:
    result = loaded("x = 1\nx / 0", "y = 2")
    assert result.notes == ["cell 1, line 2: ZeroDivisionError: division by zero"]
    assert result.names["y"] == 2
    assert result.fault == {
        "type": "ZeroDivisionError",
        "message": "division by zero",
        "line": "cell 1, line 2",
        "code": "x / 0",
    }


def test_a_fault_in_a_scratch_cell_is_noted_and_is_nobodys() -> None:
    result = loaded("1 / 0", "x = 1")
    assert result.fault is None
    assert len(result.notes) == 1


def test_an_undefined_name_is_told_with_its_cell() -> None:
    assert loaded("print(price)").notes == [
        "cell 1, line 1: NameError: name 'price' is not defined"
    ]


def test_a_missing_module_is_told_with_why_it_may_be_missing() -> None:
    [note] = loaded("import my_own_tools").notes
    assert "No module named 'my_own_tools'" in note
    assert "checked alone" in note


def test_lines_of_a_file_are_counted_from_its_top() -> None:
    cell = {"source": "# %%\n1 / 0", "name": "a.py", "first_line": 8}
    result = load({"notebook": False, "cells": [cell]}, ["1", "x"])
    assert result.notes == ["line 9: ZeroDivisionError: division by zero"]
    assert result.fault is not None
    assert result.fault["code"] == "1 / 0"


def test_a_syntax_error_in_a_file_is_told_with_its_line_in_the_file() -> None:
    cell = {"source": "# %%\nx = (", "name": "a.py", "first_line": 8}
    result = load({"notebook": False, "cells": [cell]}, ["1", "x"])
    assert result.fault is not None
    assert result.fault["line"] == "line 9"


@pytest.mark.parametrize(
    ("source", "noted"),
    [
        ("!pip install openai", "!pip install openai"),
        ("%matplotlib inline", "%matplotlib inline"),
        ("x = 1\n?print", "%pinfo print"),
        ("files = !ls", "!ls"),
        ("%%bash\nrm -rf somewhere", "%%bash"),
    ],
)
def test_magics_and_shell_lines_are_passed_over_with_a_note(
    source: str, noted: str
) -> None:
    result = loaded(source, "after = 1")
    assert result.notes == [f"cell 1: {noted} was passed over."]
    assert result.names["after"] == 1
    assert result.fault is None


def test_the_body_of_a_timed_cell_still_runs() -> None:
    result = loaded("%%time\nx = 41\nx += 1")
    assert result.names["x"] == 42


def test_code_beside_a_magic_in_the_same_cell_runs() -> None:
    assert loaded("x = 1\n%load_ext foo\ny = 2").names["y"] == 2


def test_top_level_await_runs() -> None:
    assert loaded("import asyncio\nx = await asyncio.sleep(0, 5)").names["x"] == 5


def test_a_name_defined_twice_is_noted_and_the_last_one_counts() -> None:
    result = loaded("def f():\n    return 1", "def f():\n    return 2", asked=["f"])
    assert result.names["f"]() == 2
    assert result.notes == [
        "f is defined 2 times (cell 1, line 1; cell 2, line 1); the last one counts."
    ]


@pytest.mark.parametrize("notebook", [True, False])
def test_a_main_guard_runs_in_a_notebook_and_not_in_a_file(notebook: bool) -> None:
    result = loaded("if __name__ == '__main__':\n    x = 1", notebook=notebook)
    assert ("x" in result.names) == notebook


def test_names_bound_at_top_level_hide_builtins_from_nobody_else() -> None:
    result = loaded("list = [1]\nprint = None\njson = 'x'", "y = list")
    assert result.names["y"] == [1]
    assert print is not None


def test_leaving_python_while_loading_is_a_fault_and_no_exit() -> None:
    result = loaded("import sys\nsys.exit(0)", "x = 1", asked=["sys"])
    assert result.fault is not None
    assert result.fault["type"] == "SystemExit"
    assert result.names["x"] == 1


def test_source_that_exhausts_the_parser_is_a_fault() -> None:
    result = loaded("x = " + "(" * 5000 + ")" * 5000)
    assert result.fault is not None


def test_a_lesson_is_silent_while_a_submission_loads() -> None:
    source = """
from labkit import Lesson
lab = Lesson("lesson_03_loop")
card = lab.check(object)
lab.anything.at_all["item"](1).more
await lab.play(object)
for step in lab.show("x"):
    pass
"""
    with silent():
        assert loaded(source).notes == []


def test_display_shows_nothing_in_a_notebook_and_is_not_there_in_a_file() -> None:
    assert loaded("display(1, 2, raw=True)\nx = 1").notes == []
    [note] = loaded("display(1)", notebook=False).notes
    assert "name 'display' is not defined" in note


def test_an_end_of_file_while_loading_says_that_nobody_answers() -> None:
    [note] = loaded("raise EOFError('EOF when reading a line')").notes
    assert note.endswith("(input() has nobody to answer it here)")
