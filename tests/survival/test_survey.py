"""The finished agent survives all, a tutorial's does not, and none stops the survey."""

from pathlib import Path
from typing import Any

import pytest

from labkit import Agent, LabError
from labkit.survival import survey as surveys
from labkit.survival.collection import failures
from labkit.survival.survey import (
    MOST_HANGS,
    Survey,
    survey_class,
    survey_file,
    survey_finished,
    survey_tutorial,
)

TUTORIAL = Path(surveys.__file__).with_name("tutorial.py")
# What a typical tutorial's loop comes through; it loses the others.
SURVIVES = {
    *("H16", "H17", "H18", "B06", "B07", "B12", "B13", "B18"),
    *("M02", "M03", "M04", "M09", "M11", "M13", "C13"),
    *("A14", "A16", "A17", "A20", "A23", "T03", "V15"),
}


def survived(survey: Survey) -> set[str]:
    return {o.failure.header["id"] for o in survey.outcomes if o.survived}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_finished_agent_survives_every_failure(seed: int) -> None:
    survey = survey_finished(failures(seed), seed)
    assert {o.failure.name: o.reasons for o in survey.lost} == {}
    assert survey.exit_code == 0
    assert len(survey.outcomes) == len(failures())


def test_a_tutorials_agent_has_honest_losses() -> None:
    survey = survey_tutorial(failures())
    assert survived(survey) == SURVIVES
    assert survey.exit_code == 1


def test_nobody_flags_what_is_normal() -> None:
    normal = [f for f in failures() if f.header.get("control")]
    assert len(normal) == 4
    assert survey_tutorial(normal).lost == []


def test_a_file_is_surveyed_like_its_class() -> None:
    of_file = survey_file(TUTORIAL, failures())
    assert of_file.agent == "tutorial"
    assert survived(of_file) == SURVIVES


def test_the_outcome_says_what_the_agent_did() -> None:
    [outcome] = survey_finished(failures(only="V17")).outcomes
    assert (outcome.ending, outcome.stopped_by) == ("stopped by answered", "answered")
    assert (outcome.tools, outcome.refunded) == (["refund"], 99.0)
    assert (outcome.requests, outcome.refused) == (2, 0)


def test_a_refused_request_is_counted() -> None:
    [outcome] = survey_tutorial(failures(only="C08")).outcomes
    assert (outcome.requests, outcome.refused) == (2, 1)
    assert outcome.ending == "raised BadRequestError"


class Hangs(Agent):
    def run(self, question: str) -> Any:
        while True:
            pass


class Dies(Agent):
    def run(self, question: str) -> Any:
        import os

        os._exit(3)


class Prints(Agent):
    def run(self, question: str) -> Any:
        while True:
            print("x" * 10_000)


def test_an_agent_that_hangs_loses_and_is_not_waited_for_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(surveys, "CAPS", surveys.Caps(seconds=0.1))
    survey = survey_class(Hangs, "hangs", failures())
    assert len(survey.lost) == len(failures())
    endings = [outcome.ending for outcome in survey.outcomes]
    assert endings[:MOST_HANGS] == ["ended by the lab (timeout)"] * MOST_HANGS
    assert set(endings[MOST_HANGS:]) == {"was not tried"}


@pytest.mark.parametrize(
    ("agent", "ending"),
    [(Dies, "ended by the lab (crashed)"), (Prints, "ended by the lab (output)")],
)
def test_an_agent_that_falls_over_loses_and_the_next_is_tried(
    agent: type[Agent], ending: str
) -> None:
    survey = survey_class(agent, "falls over", failures()[:2])
    assert [outcome.ending for outcome in survey.outcomes] == [ending, ending]


def test_an_agent_that_gives_back_nothing_loses() -> None:
    class Forgets(Agent):
        def run(self, question: str) -> Any:
            super().run(question)

    [outcome] = survey_class(Forgets, "forgets", failures(only="M04")).outcomes
    assert outcome.ending == "gave back no Result"
    assert outcome.reasons == ["it gave back None, not a Result"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("class Myagent: pass", "there is no MyAgent in it (it has Myagent)"),
        ("import nowhere\nclass MyAgent: pass", "ModuleNotFoundError: No module named"),
        ("class MyAgent(:\n    pass", "SyntaxError"),
        ("MyAgent = 1 / 0", "line 1: ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_without_an_agent_is_refused_in_a_sentence(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "agent.py"
    path.write_text(text)
    with pytest.raises(LabError) as refused:
        survey_file(path, failures(only="M04"))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_hangs_while_loading_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "agent.py"
    path.write_text("while True: pass")
    monkeypatch.setattr(surveys, "CAPS", surveys.Caps(loading_seconds=0.1))
    with pytest.raises(LabError, match="did not end in time, and was stopped"):
        survey_file(path, failures(only="M04"))


def test_a_tutorials_agent_carries_out_a_whole_conversation() -> None:
    [outcome] = survey_tutorial(failures(only="B18")).outcomes
    assert outcome.tools == ["lookup_order"]
    assert outcome.survived
