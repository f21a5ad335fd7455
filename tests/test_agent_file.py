"""An agent's file is loaded once and acts as often as it is asked to."""

from pathlib import Path

import pytest

from labkit import LabError
from labkit.agent_file import agent_in
from labkit.checking.place import Caps
from labkit.checking.scenario import run
from labkit.checking.world import World

SCENARIO = run("one_lookup", part="step")
COUNTING = """
from labkit import Agent

class MyAgent(Agent):
    runs = 0

    def run(self, question):
        MyAgent.runs += 1
        print(self.runs)
        return super().run(question)
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "agent.py"
    path.write_text(text)
    return path


def test_the_file_is_loaded_once_for_several_runs(tmp_path: Path) -> None:
    with agent_in(write(tmp_path, COUNTING)) as place:
        seen = [place.perform(World(SCENARIO)) for _ in range(2)]
    assert [each.printed for each in seen] == ["1\n", "2\n"]
    assert all(each.result and each.result["stopped_by"] == "answered" for each in seen)


def test_a_run_has_the_time_it_is_given(tmp_path: Path) -> None:
    text = (
        "class MyAgent:\n    def __init__(self, *a, **k):\n        while True: pass\n"
    )
    with agent_in(write(tmp_path, text), Caps(seconds=0.1)) as place:
        assert place.perform(World(SCENARIO)).stopped == "timeout"


def test_a_fault_is_told_on_one_line_without_control_characters(tmp_path: Path) -> None:
    text = "raise ValueError('MyAgent is\\nnot \\x1b[31m here')"
    with pytest.raises(LabError) as refused, agent_in(write(tmp_path, text)):
        pass
    assert str(refused.value).endswith(
        r"agent.py: line 1: ValueError: MyAgent is not \x1b[31m here"
    )
