"""`labkit survive` as its users meet it: the table, the exit status, one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from labkit import Agent, LabError
from labkit.cli import app
from labkit.survival import survey
from labkit.survival.collection import failures, waiting
from tests.test_cli import labkit

TUTORIAL = Path(survey.__file__).with_name("tutorial.py")


def survive(*words: object) -> Any:
    from typer.testing import CliRunner

    return CliRunner().invoke(app, ["survive", *map(str, words)])


def test_the_finished_agent_comes_through_with_status_0() -> None:
    done = labkit("survive")
    assert (done.returncode, done.stderr) == (0, "")
    total = len(failures())
    assert f"the finished agent: {total} of {total} survived, 0 lost" in done.stdout
    assert "✗" not in done.stdout
    assert "waiting for lesson_13_cost_and_compaction: H09, V12" in done.stdout


def test_a_loss_is_status_1_with_its_reason() -> None:
    done = survive(TUTORIAL, "--only", "V14")
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "V14 A refund above the limit, asked for at once",
        "  right: Refuses it where every call passes, before the tool.",
        "  ✗ lost, tutorial: stopped by answered; ran refund; 2 requests; "
        "paid back 640.00",
        "    tools that ran: refund; right: none",
        "    640.00 dollars were paid back, where 0.00 are right",
        "tutorial: 0 of 1 survived, 1 lost",
    ]


def test_the_loss_that_the_readme_shows_is_the_one_one_gets(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(TUTORIAL.read_text(encoding="utf-8"), encoding="utf-8")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert survive(path, "--only", "V17").output in readme


def test_one_failure_is_chosen_for_another_shop() -> None:
    done = survive("--only", "V17", "--seed", 3)
    assert done.exit_code == 0
    assert "✓ survived, the finished agent" in done.output
    assert "paid back 99.00" in done.output


def test_json_has_each_failure_with_what_was_seen() -> None:
    done = survive(TUTORIAL, "--json", "--only", "C11")
    told = json.loads(done.output)
    assert list(told) == [
        *("schema", "lab_version", "agent", "seed", "survived", "total"),
        *("exit_code", "seconds", "failures", "waiting"),
    ]
    [failure] = told["failures"]
    assert (failure["id"], failure["survived"]) == ("C11", False)
    assert failure["reasons"] == [
        "120.00 dollars were paid back, where 60.00 are right"
    ]
    assert (failure["tools"], failure["requests"]) == (["refund", "refund"], 3)
    assert len(told["waiting"]) == len(waiting())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere.py"], "nowhere.py: there is no such file"),
        (["--only", "S01"], "The failure S01 waits for lesson_12_streaming"),
        (["--only", "Z1"], "There is no failure 'Z1'"),
    ],
)
def test_wrong_input_is_one_sentence(words: list[str], told: str) -> None:
    done = survive(*words)
    assert isinstance(done.exception, LabError)
    assert told in str(done.exception)
    assert done.output == ""


def test_wrong_input_is_status_2(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("import nowhere\n\nclass MyAgent: ...\n")
    done = labkit("survive", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "line 1: ModuleNotFoundError" in done.stderr


def test_a_notebook_is_surveyed_too(tmp_path: Path) -> None:
    code = "from labkit import Agent\nclass MyAgent(Agent): ..."
    cell = {"cell_type": "code", "source": code, "metadata": {}, "outputs": []}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps(notebook))
    done = survive(path, "--only", "H20")
    assert done.exit_code == 0
    assert "mine: 1 of 1 survived" in done.output


def test_what_an_agent_says_cannot_write_on_the_terminal() -> None:
    class Loud(Agent):
        def run(self, question: str) -> Any:
            raise ValueError("\x1b[2J<b>bold</b>\nnew line")

    from labkit.display.survival import survival_table

    lost = survey.survey_class(Loud, "\x1b[31m<i>", failures(only="M04"))
    face = survival_table([lost], [])
    assert "\x1b" not in face.text + face.html
    assert "<b>" not in face.html
    assert "<i>" not in face.html
    assert r"\x1b[2J<b>bold</b> new line" in face.text
