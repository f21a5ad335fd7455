"""An agent's file on eval cases, judged by what was seen of it."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from labkit import LabError
from labkit.evals.trial import Trial, try_agent

POSTAGE = {
    "id": "postage",
    "question": "What would it cost to ship order NW-1041 to its destination?",
    "recording": "shipping_chain",
    "numbers": [48.16],
    "tools": ["lookup_order", "calculator"],
    "max_steps": 4,
}


def tried(folder: Path, body: str, cases: list[dict[str, Any]] | None = None) -> Trial:
    path = folder / "agent.py"
    path.write_text(f"from labkit import Agent, Result\n\n{dedent(body)}")
    return try_agent(path, cases or [POSTAGE], threshold=0.5)


def reasons(trial: Trial) -> str:
    return " ".join(trial.report.failures["postage"])


def test_the_finished_agent_passes(tmp_path: Path) -> None:
    trial = tried(tmp_path, "class MyAgent(Agent): pass")
    assert (trial.report.exit_code, trial.report.failures) == (0, {})
    assert trial.report.stops == {"answered": [POSTAGE["question"]]}


def test_a_result_that_only_claims_its_tool_calls_fails(tmp_path: Path) -> None:
    body = """
    class MyAgent(Agent):
        def run(self, question):
            calls = [{"name": "lookup_order"}, {"name": "calculator"}]
            return Result(question, "48.16", "answered", steps=1, tool_calls=calls)
    """
    told = reasons(tried(tmp_path, body))
    assert "lookup_order" in told
    assert "calculator" in told


def test_each_case_is_run_apart_and_one_that_raises_fails_alone(tmp_path: Path) -> None:
    body = """
    class MyAgent(Agent):
        def run(self, question):
            if "euros" in question:
                raise KeyError("euros")
            return super().run(question)
    """
    euros = POSTAGE | {"id": "euros", "question": "And in euros?"}
    trial = tried(tmp_path, body, [euros, POSTAGE])
    assert list(trial.report.failures) == ["euros"]
    assert "KeyError: 'euros'" in trial.report.failures["euros"][0]


def test_an_agent_that_kills_its_process_loses_that_case(tmp_path: Path) -> None:
    body = """
    import os

    class MyAgent(Agent):
        def run(self, question):
            if "now" in question:
                os._exit(0)
            return super().run(question)
    """
    gone = POSTAGE | {"id": "gone", "question": "And now?"}
    trial = tried(tmp_path, body, [gone, POSTAGE])
    assert list(trial.report.failures) == ["gone"]


def test_what_lies_beside_the_agent_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text("ANSWER = 'yes'")
    body = """
    import words

    class MyAgent(Agent):
        greeting = words.ANSWER
    """
    assert tried(tmp_path, body).report.exit_code == 0


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("class Myagent(Agent): pass", "no MyAgent in it (it has Myagent)"),
        ("class MyAgent(Agent)\n    pass", "SyntaxError"),
        ("import nowhere\nclass MyAgent(Agent): pass", "nowhere"),
        ("import os\nos._exit(3)", "its process ended"),
    ],
)
def test_a_file_without_an_agent_is_refused(
    tmp_path: Path, body: str, told: str
) -> None:
    with pytest.raises(LabError) as refused:
        tried(tmp_path, body)
    assert told in str(refused.value)
