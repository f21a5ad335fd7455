"""What cannot work in a browser says so; everything else works there."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from labkit import Agent, Lesson, watched
from labkit.assembly.saved import save
from labkit.assembly.written import written


@pytest.fixture(autouse=True)
def in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")


def test_a_live_model_is_for_the_lab_on_a_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-asked-for")
    told = Lesson("lesson_03_loop").live(Agent, "Where is order NW-1041?").text
    assert "asks no live model" in told
    assert "sk-not" not in told


def test_nobody_waits_for_a_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "is_live", lambda: True)
    lab = Lesson("lesson_06_guardrail")
    told = asyncio.run(lab.play(Agent, "large_refund")).text
    assert "note: the browser edition cannot wait for a click" in told
    assert "denied" in told


def test_checks_run_in_the_kernel_itself() -> None:
    kernel = os.getpid()
    found = []

    class MyAgent(Agent):
        def step(self, result):  # type: ignore[no-untyped-def]
            found.append(os.getpid())
            return "answered"

    Lesson("lesson_03_loop").check(MyAgent)
    assert set(found) == {kernel}


def test_the_agent_is_joined_from_a_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    part = written({"truncate": kept_part}, "truncate")
    save(part, tmp_path)
    told = Lesson("lesson_08_evals").assemble().text
    assert (tmp_path / "my_agent" / "agent.py").is_file()
    assert "agent.py" in told


def kept_part(text: str, limit: int) -> str:
    """The text, cut to a limit."""
    return text[:limit]


kept_part.__name__ = "truncate"
