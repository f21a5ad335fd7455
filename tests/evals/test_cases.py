"""Eval cases in a file: read, filled with the shop's figures, or refused in a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from labkit import LabError
from labkit.evals.cases import read_cases
from labkit.shop import cases, facts_for

CASE = {"id": "a", "question": "Postage?", "recording": "shipping_chain"}


def written(folder: Path, cases: Any, name: str = "cases.json") -> Path:
    path = folder / name
    path.write_text(cases if isinstance(cases, str) else json.dumps(cases))
    return path


def test_figures_of_the_shop_are_filled_in_as_numbers(tmp_path: Path) -> None:
    case = CASE | {"numbers": ["{{ship.cost}}", 3], "tools": ["calculator"]}
    [read] = read_cases(written(tmp_path, [case]), seed=3)
    assert read["numbers"] == [float(facts_for(3)["ship.cost"]), 3]


def test_json_lines_are_read_too(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(CASE | {"id": id, "numbers": [1]}) for id in "ab")
    path = written(tmp_path, lines + "\n", "cases.jsonl")
    assert [case["id"] for case in read_cases(path)] == ["a", "b"]


def test_without_a_file_the_shops_own_cases_are_used() -> None:
    assert read_cases(None, seed=2) == cases(seed=2)


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("[", "it is not JSON"),
        ({}, "eval cases are a JSON list"),
        ([], "there are no cases in it, so nothing could pass"),
        ([3], "case 1: a case is an object"),
        ([{"id": "a"}], "case 1: question must be a text"),
        ([CASE | {"id": ""}], "case 1: id must be a text"),
        ([CASE], "case 1: it asks for neither numbers nor tools, so it cannot fail"),
        ([CASE | {"numbers": [1]}] * 2, "case 2: the id 'a' stands twice"),
        ([CASE | {"numbers": [True]}], "case 1: numbers must be a list of numbers"),
        ([CASE | {"numbers": "48"}], "case 1: numbers must be a list of numbers"),
        ([CASE | {"tools": "refund"}], "case 1: tools must be a list of names"),
        ([CASE | {"tools": ["refunds"]}], "case 1: there is no tool 'refunds'"),
        ([CASE | {"max_steps": 0}], "max_steps must be a whole number above zero"),
        ([CASE | {"number": [1]}], "no field 'number'; did you mean 'numbers'"),
        ([CASE | {"numbers": ["{{ship.price}}"]}], "no fact of the shop is called"),
        (
            [CASE | {"numbers": [1], "recording": "shiping_chain"}],
            "did you mean shipping_chain",
        ),
    ],
)
def test_what_is_no_case_is_refused_with_its_place(
    tmp_path: Path, cases: Any, told: str
) -> None:
    with pytest.raises(LabError) as refused:
        read_cases(written(tmp_path, cases))
    assert told in str(refused.value)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes("[„]".encode("utf-16"))
    with pytest.raises(LabError, match="UTF-8"):
        read_cases(path)
