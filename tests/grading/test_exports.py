"""Graded results for other programs, field by field."""

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from labkit.errors import LabError
from labkit.grading.exports import write_all
from labkit.grading.exports.gradebook import inert
from labkit.grading.results import Results, chosen
from tests.grading.graded_folder import (
    GUARDRAIL,
    HOSTILE,
    KEY,
    LOOP,
    grading,
    small_class,
    unread_line,
    write_results,
)

TEST_FIELDS = {
    "score": int,
    "max_score": int,
    "status": str,
    "name": str,
    "name_format": str,
    "number": str,
    "output": str,
    "output_format": str,
    "tags": list,
    "visibility": str,
    "extra_data": dict,
}
TOP_FIELDS = {
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "output_format": str,
    "test_output_format": str,
    "test_name_format": str,
    "visibility": str,
    "stdout_visibility": str,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"hidden", "after_due_date", "after_published", "visible"}
NBGRADER = (
    "assignment,duedate,timestamp,student_id,last_name,first_name,email,"
    "raw_score,late_submission_penalty,score,max_score"
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded folder with every export in it."""
    folder = tmp_path_factory.mktemp("graded")
    small_class(folder)
    write_all(folder)
    return folder


def gradescope(out: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((out / "gradescope" / f"{name}.json").read_text("utf-8")))


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_gradescope_knows_each_field_and_its_type(out: Path) -> None:
    for file in (out / "gradescope").iterdir():
        told = json.loads(file.read_text("utf-8"))
        for name, value in told.items():
            assert isinstance(value, TOP_FIELDS[name]), name
        for test in told["tests"]:
            for name, value in test.items():
                assert isinstance(value, TEST_FIELDS[name]), name
            assert test["output_format"] in FORMATS
            assert test["visibility"] in VISIBLE
            assert test["status"] in ("passed", "failed")
            assert all(isinstance(tag, str) for tag in test["tags"])


def test_gradescope_adds_up_to_the_score_of_all_lessons(out: Path) -> None:
    tests = gradescope(out, "ann")["tests"]
    assert sum(test["score"] for test in tests) == 12 + 18
    assert sum(test["max_score"] for test in tests) == 12 + 18
    assert [test["number"] for test in tests][:2] == ["3.1", "3.2"]


def test_gradescope_shows_what_was_seen_and_what_to_try(out: Path) -> None:
    told = gradescope(out, "ben")
    failed = next(test for test in told["tests"] if test["status"] == "failed")
    assert "tool_call_id is missing" in failed["output"]
    assert "try: " in failed["output"]
    assert failed["extra_data"]["outcome"] == "failed"


def test_a_hidden_test_would_hide_the_total_so_there_is_none(out: Path) -> None:
    tests = gradescope(out, "ben")["tests"]
    assert {test["visibility"] for test in tests} == {"visible"}


def test_what_could_not_be_graded_says_why_and_has_no_points(out: Path) -> None:
    [name] = [f.stem for f in (out / "gradescope").iterdir() if "HYPER" in f.stem]
    told = gradescope(out, name)
    assert "not JSON" in told["output"]
    assert sum(test["score"] for test in told["tests"]) == 0
    assert sum(test["max_score"] for test in told["tests"]) == 12


def test_the_gradebook_has_nbgraders_header_and_a_row_for_each(out: Path) -> None:
    text = (out / "gradebook.csv").read_text("utf-8")
    assert text.splitlines()[0] == NBGRADER
    table = rows(out / "gradebook.csv")
    assert {len(row) for row in table} == {11}
    ann = [row for row in table if row[3] == "ann"]
    stamp = "2026-11-30 12:00:00.125000"
    empty = ["", "", ""]
    assert ann == [
        [LOOP, "", stamp, "ann", *empty, "12.0", "0.0", "12.0", "12.0"],
        [GUARDRAIL, "", stamp, "ann", *empty, "18.0", "0.0", "18.0", "18.0"],
    ]


def test_a_lesson_nobody_handed_in_is_zeros_without_a_time(out: Path) -> None:
    table = rows(out / "gradebook.csv")
    [missing] = [row for row in table if row[0] == LOOP and row[3] == "cy"]
    assert missing[2] == ""
    assert missing[7:] == ["0.0", "0.0", "0.0", "12.0"]


def test_otter_has_its_columns_and_the_points_first(out: Path) -> None:
    header, points, *students = rows(out / "otter" / f"{LOOP}.csv")
    assert header[0] == "file"
    ends = ["total_points_earned", "percent_correct", "grading_status"]
    assert header[-3:] == ends
    assert points[0] == "points-per-question"
    assert points[-3:] == ["12.0", "1", "--"]
    assert sum(map(float, points[1:-3])) == 12
    by_file = {row[0]: row for row in students}
    assert by_file["ann"][-3:] == ["12.0", "1.0", "Completed"]
    assert by_file["ben"][-3:] == ["4.0", "0.3333", "Completed"]
    assert sum(map(float, by_file["ben"][1:-3])) == 4


def test_otter_says_why_something_was_not_graded(out: Path) -> None:
    *_, last = rows(out / "otter" / f"{LOOP}.csv")
    assert "not JSON" in last[-1]


def test_a_name_with_comma_quote_newline_and_equals_stays_one_dead_cell(
    out: Path,
) -> None:
    for path in (out / "gradebook.csv", out / "otter" / f"{LOOP}.csv"):
        cells = [cell for row in rows(path) for cell in row if "HYPERLINK" in cell]
        assert cells
        for cell in cells:
            assert cell.startswith("'=")


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", " ="])
def test_what_a_spreadsheet_would_run_is_escaped(begin: str) -> None:
    assert inert(f"{begin}1+1") == f"'{begin}1+1"


def test_a_plain_name_stays_as_it_is() -> None:
    assert inert("Zoë O'Neil-Smith") == "Zoë O'Neil-Smith"


def test_junit_has_a_suite_for_each_submission(out: Path) -> None:
    suites = ElementTree.parse(out / "junit.xml").getroot()
    assert suites.tag == "testsuites"
    assert len(suites) == 4
    ann, ben, *_ = [s for s in suites if s.get("name") in ("ann", "ben")]
    assert (ann.get("tests"), ann.get("failures"), ann.get("errors")) == (
        "22",
        "0",
        "0",
    )
    assert (ben.get("tests"), ben.get("failures")) == ("9", "1")
    assert ben.get("skipped") == "5"
    case = next(case for case in ben if case.find("failure") is not None)
    assert case.get("classname") == LOOP
    assert case.get("name") == "answers_each_call"
    assert "tool_call_id is missing" in str(case.find("failure").get("message"))  # type: ignore[union-attr]


def test_what_ended_a_run_is_an_error_in_junit(tmp_path: Path) -> None:
    [*_, line] = small_class(tmp_path)
    outcomes = ["timeout", "crashed", "broken", "failed", "skipped"]
    for check, outcome in zip(line["checks"], outcomes):
        check["outcome"] = outcome
    line["status"] = "graded"
    write_results(tmp_path, [line])
    write_all(tmp_path)
    [suite] = ElementTree.parse(tmp_path / "junit.xml").getroot()
    kinds = [case[0].tag for case in suite]
    assert kinds[:5] == ["error", "error", "error", "failure", "skipped"]
    assert suite.get("errors") == "3"


def test_no_key_leaves_and_no_control_character(out: Path) -> None:
    files = [p for p in out.rglob("*") if p.suffix in (".csv", ".json", ".xml")]
    assert len(files) >= 7
    for path in files:
        text = path.read_text("utf-8")
        assert KEY not in text
        assert "\x1b" not in text, path
    assert "API key removed" in (out / "junit.xml").read_text("utf-8")


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder in which the lab itself failed: at one check of ann's, at all of ben."""
    ann, ben = (unread_line(name, LOOP, "") for name in ("ann", "ben"))
    ann["status"] = "graded"
    for check in ann["checks"]:
        check |= {"outcome": "passed", "points": check["max_points"]}
    ann["checks"][2] |= {"outcome": "broken", "points": 0}  # two points
    ann |= {"score": 10, "max_score": 10}
    ben |= {"status": "internal", "max_score": 0, "notes": ["set aside"]}
    for check in ben["checks"]:
        check["outcome"] = "internal"
    write_results(tmp_path, [ann, ben])
    write_all(tmp_path)
    return tmp_path


def test_a_broken_check_costs_no_point(mixed: Path) -> None:
    tests = gradescope(mixed, "ann")["tests"]
    assert sum(test["score"] for test in tests) == 12
    assert "status" not in tests[2]
    [_, ann] = rows(mixed / "gradebook.csv")
    assert ann[7:] == ["10.0", "0.0", "10.0", "10.0"]
    [_, _, ann, _] = rows(mixed / "otter" / f"{LOOP}.csv")
    assert (ann[3], ann[-2]) == ("", "1.0")


def test_where_the_lab_failed_there_is_no_score_rather_than_a_zero(
    mixed: Path,
) -> None:
    assert not (mixed / "gradescope" / "ben.json").exists()
    assert [row[3] for row in rows(mixed / "gradebook.csv")] == ["student_id", "ann"]
    [*_, ben] = rows(mixed / "otter" / f"{LOOP}.csv")
    assert ben[-3:] == ["", "", "set aside"]


def test_what_was_written_is_said_and_what_was_left_out(mixed: Path) -> None:
    said = "\n".join(write_all(mixed))
    assert "gradescope/: 1 file" in said
    assert "none for ben" in said
    assert "1 left out" in said


def test_an_old_file_of_somebody_whose_grading_failed_goes(mixed: Path) -> None:
    old = mixed / "gradescope" / "ben.json"
    old.write_text("{}")
    write_all(mixed)
    assert not old.exists()


def test_of_two_files_of_one_student_the_better_counts(tmp_path: Path) -> None:
    low, high = (unread_line(f"ann/{n}", LOOP, "") for n in ("old", "new"))
    for line, score in ((low, 3), (high, 7)):
        line |= {"score": score, "status": "graded"}
        line["grading"] = grading("ann")
    write_results(tmp_path, [high, low])
    write_all(tmp_path)
    [_, row] = rows(tmp_path / "gradebook.csv")
    assert (row[3], row[7]) == ("ann", "7.0")


def test_file_names_differ_where_only_capitals_do(tmp_path: Path) -> None:
    write_results(tmp_path, [unread_line(n, LOOP, "") for n in ("ann", "Ann", "ANN")])
    names = Results(tmp_path).file_names
    assert len({name.casefold() for name in names.values()}) == 3


def test_a_line_that_is_still_being_written_is_passed_over(tmp_path: Path) -> None:
    small_class(tmp_path)
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('{"schema": 1, "less')
    assert len(Results(tmp_path).entries) == 5


def test_the_last_of_two_lines_for_the_same_counts(tmp_path: Path) -> None:
    first, last = unread_line("ann", LOOP, ""), unread_line("ann", LOOP, "")
    last["score"] = 5
    write_results(tmp_path, [first, last])
    results = Results(tmp_path)
    assert [entry.earned for entry in results.entries] == [5]
    assert chosen(results.entries)[LOOP].earned == 5


@pytest.mark.parametrize("text", [None, "nonsense\n", "[]\n", '{"lesson": 1}\n'])
def test_a_folder_without_results_is_one_sentence(
    tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        (tmp_path / "results.jsonl").write_text(text)
    with pytest.raises(LabError, match=r"results\.jsonl.*;.*\.$"):
        Results(tmp_path)


def test_half_a_character_in_a_name_ends_no_export(tmp_path: Path) -> None:
    write_results(tmp_path, [unread_line("ann \ud800", LOOP, "half \udfff")])
    write_all(tmp_path)
    assert "\\ud800" in (tmp_path / "gradebook.csv").read_text("utf-8")
    ElementTree.parse(tmp_path / "junit.xml")


def test_nothing_unfinished_is_left_lying(out: Path) -> None:
    assert not list(out.rglob("*.unfinished"))
    assert HOSTILE  # its name is no path: every file lies where it should
    assert {path.name for path in out.iterdir()} == {
        "evidence",
        "gradebook.csv",
        "gradescope",
        "junit.xml",
        "otter",
        "pages",
        "results.jsonl",
    }
