"""What cannot work in a browser says so; everything else works there."""

import asyncio
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from labkit import Agent, Lesson, watched
from labkit.assembly.saved import save
from labkit.assembly.written import written


@pytest.fixture(autouse=True)
def in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")


def test_a_browser_that_cannot_wait_asks_no_live_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _pretend_pyodide(monkeypatch, can_wait=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-asked-for")
    told = live()
    assert "lets no cell wait" in told
    assert "sk-not" not in told


def test_without_a_key_it_is_said_how_one_is_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _pretend_pyodide(monkeypatch, can_wait=True)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    told = live()
    assert "getpass.getpass()" in told


def test_a_server_that_lets_no_page_ask_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _pretend_pyodide(monkeypatch, can_wait=True)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    told = live()
    assert "lets no web page ask it (CORS)" in told


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


def live() -> str:
    """What `lab.live` shows of a question, as text."""
    return Lesson("lesson_03_loop").live(Agent, "Where is order NW-1041?").text


def _pretend_pyodide(monkeypatch: pytest.MonkeyPatch, can_wait: bool) -> None:
    ffi = ModuleType("pyodide.ffi")
    ffi.__dict__["can_run_sync"] = lambda: can_wait
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)


kept_part.__name__ = "truncate"
