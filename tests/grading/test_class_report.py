"""What a class did: counted right, told plainly, and harmless to open."""

import json
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from labkit.display.class_report import as_page, as_text, names_of
from labkit.display.figures import figure
from labkit.grading.class_report import class_report, shape, write_report
from labkit.grading.results import Results
from tests.grading.graded_folder import (
    GUARDRAIL,
    KEY,
    LOOP,
    answer,
    graded_line,
    small_class,
    unread_line,
    write_results,
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded folder: the small class, and three more with ben's fault or his file."""
    folder = tmp_path_factory.mktemp("graded")
    lines = small_class(folder)
    copy = folder / "copy.py"
    copy.write_text(f"{answer(LOOP, 'wrong', 'no_id').read_text('utf-8')}\n# mine\n")
    solved = Path(__file__).parents[2] / "notebooks" / "solved" / f"{LOOP}.ipynb"
    lines += [
        graded_line(folder, "dee", LOOP, answer(LOOP, "wrong", "no_id")),
        graded_line(folder, "eva", LOOP, copy),
        graded_line(folder, "fay", LOOP, solved),
        unread_line("gil", LOOP, "nothing was handed in", "missing"),
    ]
    write_results(folder, lines)
    return folder


@pytest.fixture(scope="module")
def report(out: Path) -> dict[str, Any]:
    return class_report(Results(out))


def lesson(report: dict[str, Any], name: str = LOOP) -> dict[str, Any]:
    [found] = [one for one in report["lessons"] if one["lesson"] == name]
    return dict(found)


def test_scores_are_those_of_all_who_handed_in(report: dict[str, Any]) -> None:
    found = lesson(report)
    assert found["scores"] == [(0, 1), (4, 3), (12, 2)]
    assert (found["mean"], found["median"], found["all_points"]) == (6, 4, 2)
    assert found["statuses"] == {"graded": 5, "not_gradable": 1, "missing": 1}
    assert lesson(report, GUARDRAIL)["points"] == 18


def test_the_check_that_most_failed_is_named(report: dict[str, Any]) -> None:
    found = lesson(report)
    assert found["most_failed"] == "answers_each_call"
    [most] = [check for check in found["checks"] if check["id"] == "answers_each_call"]
    assert most["outcomes"] == {"passed": 2, "failed": 3}
    assert 0 <= most["seconds"]["median"] <= most["seconds"]["longest"]


def test_the_commonest_first_failure_has_an_example(report: dict[str, Any]) -> None:
    first, *more = lesson(report)["first_failures"]
    assert (first["check"], first["students"]) == ("answers_each_call", 3)
    assert first["example"]["student"] == "ben"
    assert first["example"]["page"] == "pages/ben.html"
    assert "tool_call_id is missing" in first["example"]["seen"]
    assert more == []


def test_failures_that_differ_in_figures_and_names_are_one() -> None:
    assert shape("request 2: 'call_1' is \"x\"") == shape("request 13: 'b' is \"\"")
    assert shape("request 2 is missing") != shape("request 2 is wrong")


def test_copies_are_told_apart(report: dict[str, Any]) -> None:
    found = lesson(report)["similar"]
    assert found["same_file"] == [["ben", "dee"]]
    assert found["finished"] == {"step": ["fay"]}
    [group] = found["groups"]
    assert set(group["students"]) == {"ben", "dee", "eva"}


def test_without_kept_code_it_says_that_nothing_was_compared(tmp_path: Path) -> None:
    write_results(tmp_path, [unread_line("ann", LOOP, "why")])
    made = class_report(Results(tmp_path))
    assert lesson(made)["similar"] is None
    assert "no code is kept" in as_text(made)
    assert "no code is kept" in as_page(made)


def test_the_text_says_the_most_in_a_few_lines(report: dict[str, Any]) -> None:
    text = as_text(report)
    assert "lesson_03_loop: 7 students, mean 6 of 12, median 4, 2 with all" in text
    assert "most failed: each call runs once" in text
    assert "commonest first failure, 3 students:" in text
    assert "such as ben: request 2, message 4" in text
    assert "1 file of several students, 1 copy of the finished code, 1 group" in text
    assert len(text.splitlines()) < 15


def test_what_the_lab_failed_on_is_named(tmp_path: Path) -> None:
    line = unread_line("ann", LOOP, "set aside", "internal")
    write_results(tmp_path, [line])
    made = class_report(Results(tmp_path))
    assert "the lab's own fault, grade them again: ann (lesson_03_loop)" in as_text(
        made
    )
    assert lesson(made)["scores"] == []
    assert "cost no points" in as_page(made)


class Page(HTMLParser):
    """The elements of a page, and where its links and pictures lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.addresses += [v or "" for k, v in attrs if k in ("href", "src")]


def test_the_page_holds_all_of_it_and_nothing_that_acts(out: Path) -> None:
    hostile = unread_line("<b onload=x>", LOOP, "why")
    hostile |= {"status": "graded"}
    hostile["checks"][0] |= {
        "outcome": "error",
        "seen": f"<script>alert(1)</script>{KEY}",
    }
    kept = (out / "results.jsonl").read_text("utf-8").splitlines()
    lines = [json.loads(text) for text in kept]
    other = out / "hostile"
    other.mkdir()
    write_results(other, [*lines, hostile])
    text = as_page(class_report(Results(other)))
    page = Page(text)
    assert not page.names & {"script", "b", "iframe"}
    assert "&lt;script&gt;alert(1)" in text
    assert KEY not in text
    assert all(a.startswith(("pages/", "data:image/")) for a in page.addresses)
    assert "tool_call_id is missing" in text
    assert "(most failed)" in text


def test_links_lead_to_the_pages_that_there_are(out: Path) -> None:
    from urllib.parse import unquote

    from labkit.grading import pages

    pages.write(Results(out))
    page = Page(as_page(class_report(Results(out))))
    links = [a for a in page.addresses if a.startswith("pages/")]
    assert links
    assert all((out / unquote(link)).is_file() for link in links)


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="needs labkit[report]")
def test_the_chart_is_a_picture_and_the_same_each_time(report: dict[str, Any]) -> None:
    first = figure(lesson(report))
    assert first.startswith("data:image/svg+xml;base64,")
    assert first == figure(lesson(report))
    assert first in as_page(report)


def test_without_matplotlib_the_tables_say_the_same(
    report: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.display.figures.find_spec", lambda name: None)
    text = as_page(report)
    assert "<img" not in text
    assert text.count("█") > 30


def test_many_names_are_cut_short() -> None:
    assert names_of(["a", "b"]) == "a, b"
    assert names_of([str(n) for n in range(12)]).endswith("9 and 2 more")


def test_the_files_are_written_whole_and_read_back(out: Path) -> None:
    made, written = write_report(out)
    assert len(written) == 2
    kept = json.loads((out / "report.json").read_text("utf-8"))
    assert kept == json.loads(json.dumps(made))
    assert kept["schema"] == 1
    assert (out / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def labkit(*words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "labkit.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_prints_the_text_and_writes_both(out: Path) -> None:
    done = labkit("report", out)
    assert done.returncode == 0
    assert "most failed" in done.stdout
    assert "report.html" in done.stderr


def test_a_folder_that_was_not_graded_into_is_one_sentence(tmp_path: Path) -> None:
    done = labkit("report", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "no results.jsonl" in done.stderr
