"""A trial for other programs, and beside an earlier one."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from labkit import EvalReport, LabError, Result
from labkit.evals.outputs import changes, junit, read_earlier, to_json
from labkit.evals.trial import Trial, Tried


def trial(**failures: list[str]) -> Trial:
    """A trial of cases a and b, with these reasons against them."""
    report = EvalReport()
    tried = []
    for id in "ab":
        case = {"id": id, "question": f"{id}?", "recording": "at_once"}
        report.add(case, failures.get(id, []), "answered")
        tried.append(Tried(case, Result(f"{id}?", "yes", "answered", steps=2), 0.5))
    report.pass_rate = report.passed / report.total
    return Trial("mine", 0, 0.8, report, tried, 1.0)


def test_json_holds_the_report_and_each_case() -> None:
    told = to_json(trial(b=["64 is missing"]))
    assert (told["passed"], told["total"], told["pass_rate"]) == (1, 2, 0.5)
    assert [case["passed"] for case in told["cases"]] == [True, False]
    assert told["cases"][1]["reasons"] == ["64 is missing"]
    assert json.loads(json.dumps(told)) == told


def test_junit_counts_and_names_the_failures_of_any_text() -> None:
    suite = ElementTree.fromstring(junit(trial(b=["<64> & \x00 \ud800"])).encode())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    [failure] = suite.findall("testcase/failure")
    assert failure.get("message") == "<64> & \ufffd \ufffd"


def test_what_changed_is_told_case_by_case() -> None:
    before, after = to_json(trial(a=["no"])), to_json(trial(b=["no"]))
    after["cases"][0]["steps"] = 5
    assert list(changes(before, after)) == [
        "rate 0.50 -> 0.50",
        "✗ b passed before",
        "✓ a did not pass before",
        "steps 4 -> 7 over 2 cases",
    ]


def test_cases_that_came_or_went_are_told() -> None:
    before, after = to_json(trial()), to_json(trial())
    del before["cases"][0], after["cases"][1]
    assert list(changes(before, after))[1:] == ["+ a is new", "- b is gone"]


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 2}', '{"schema": 1}', "nope"])
def test_what_is_no_earlier_report_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "earlier.json"
    path.write_text(text)
    with pytest.raises(LabError, match="no earlier report"):
        read_earlier(path)


def test_an_earlier_report_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "earlier.json"
    told: dict[str, Any] = to_json(trial())
    path.write_text(json.dumps(told))
    assert read_earlier(path) == told
