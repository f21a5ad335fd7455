"""What needs the lab's recordings is passed over where there are none."""

from pathlib import Path

import pytest

from labkit import lab
from labkit.checking.loading import Loaded, load
from labkit.checking.submission import percent_cells


@pytest.fixture(autouse=True)
def _no_recordings(lab_copy: Path) -> None:
    for recording in lab.recording_files():
        recording.unlink()


def loaded(text: str) -> Loaded:
    cells = [vars(cell) for cell in percent_cells("a.py", text)]
    return load({"notebook": False, "cells": cells}, ["f"])


def test_the_rest_of_a_cell_is_run_after_a_statement_that_shows_a_recording() -> None:
    found = loaded("from labkit import connect\nconnect('one_lookup')\ndef f(): ...")
    assert found.notes == []
    assert "f" in found.names


def test_what_fails_for_want_of_its_result_is_passed_over_too() -> None:
    found = loaded("""
from labkit import connect
messages = ["question"]
# %%
client = connect("one_lookup")
messages.append(client.ask(messages))
print(client)
both = messages[0], messages[1]
# %%
print(both, client)
last = 1
""")
    assert found.notes == []
    assert found.names["last"] == 1


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("print(nobody)", "NameError"),
        ("[][0]", "IndexError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_a_fault_of_their_own_is_still_noted(code: str, fault: str) -> None:
    text = f"from labkit import connect\nclient = connect('one_lookup')\n{code}\nx = 1"
    found = loaded(text)
    [note] = found.notes
    assert note.startswith(f"line 3: {fault}")
    assert "x" not in found.names
