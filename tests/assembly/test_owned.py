"""An assembled agent at work: over HTTP without labkit, and in the lab's own hands."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from labkit.evals.trial import try_agent
from labkit.shop import cases
from labkit.survival.collection import failures
from labkit.survival.survey import survey_file
from tests.serving import serving_recording

SHIPPING = "What would it cost to ship order NW-1041 to its destination?"


def python(folder: Path, *words: str, **environment: str) -> str:
    """What a Python says that has the installed packages, and no labkit among them."""
    # Without site, the line that leads an editable install to labkit is not read.
    packages = {"PYTHONPATH": sysconfig.get_path("purelib")}
    done = subprocess.run(
        [sys.executable, "-S", *words],
        cwd=folder,
        env=os.environ | packages | {"NO_PROXY": "127.0.0.1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout or done.stderr


def test_it_answers_a_served_question_where_there_is_no_labkit(whole: Path) -> None:
    assert "Error" in python(whole, "-c", "from labkit import Agent")
    with serving_recording("shipping_chain") as server:
        said = python(whole, "agent.py", SHIPPING, OPENAI_BASE_URL=server.address)
    assert said.startswith("Shipping order NW-1041 to Germany costs 48.16 US dollars")


def test_its_evals_pass_as_the_finished_agents_do(whole: Path) -> None:
    assert try_agent(whole / "agent.py", cases(), threshold=1).report.exit_code == 0


def test_it_survives_the_failure_collection(whole: Path) -> None:
    assert survey_file(whole / "agent.py", failures()).exit_code == 0
