"""A page for each student: verdicts, conversations, and nothing that acts."""

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from labkit.grading import pages
from labkit.grading.results import Results
from labkit.grading.stored import evidence_file, read_evidence
from tests.grading.graded_folder import GUARDRAIL, KEY, LOOP, small_class, write_results


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded folder with its pages."""
    folder = tmp_path_factory.mktemp("graded")
    small_class(folder)
    pages.write(Results(folder))
    return folder


def page(out: Path, name: str) -> str:
    return (out / "pages" / f"{name}.html").read_text("utf-8")


class Tags(HTMLParser):
    """The names of all elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)


def test_a_page_has_the_lines_of_the_learners_card(out: Path) -> None:
    text = page(out, "ben")
    words = " ".join(re.sub("<[^>]*>", " ", text).split())
    assert "✗ failed each call runs once and gets one result" in words
    assert "request 2, message 4: tool_call_id is missing" in words
    assert "expected: one result per call" in words
    assert "try: copy call.id into the message you append" in words


def test_the_conversation_behind_a_failure_is_drawn_from_what_is_kept(
    out: Path,
) -> None:
    text = page(out, "ben")
    assert "the agent answers one_lookup" in text
    assert "lookup_order" in text
    assert "request 2" in text


def test_a_call_is_shown_with_its_arguments(out: Path) -> None:
    text = page(out, "cy")
    assert "policy(&#34;refund&#34;, {" in text


def test_all_lessons_of_a_student_are_on_one_page(out: Path) -> None:
    text = page(out, "ann")
    assert f"<h2>{LOOP}</h2>" in text
    assert f"<h2>{GUARDRAIL}</h2>" in text
    assert (
        text.count("<details>\n      <summary>") == 2
    )  # where all is passed, one conversation each


def test_markup_of_a_students_is_shown_and_does_not_act(out: Path) -> None:
    [path] = [p for p in (out / "pages").iterdir() if "HYPER" in p.name]
    text = path.read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "script" not in Tags(text).names
    assert "\x1b" not in text
    assert "default-src 'none'" in text


def test_a_key_is_nowhere_on_a_page(out: Path) -> None:
    texts = [path.read_text("utf-8") for path in (out / "pages").iterdir()]
    assert len(texts) == 4
    assert not any(KEY in text for text in texts)
    assert any("API key removed" in text for text in texts)


def test_evidence_that_holds_markup_and_a_key_is_as_harmless(tmp_path: Path) -> None:
    [_, _, ben, *_] = small_class(tmp_path)
    file = evidence_file(tmp_path, ben["grading"]["sha256"], LOOP, 0)
    text = gzip.decompress(file.read_bytes()).decode()
    hostile = json.dumps(f"<script>alert(1)</script> {KEY}")[1:-1]
    file.write_bytes(gzip.compress(text.replace("lookup_order", hostile).encode()))
    pages.write(Results(tmp_path))
    shown = page(tmp_path, "ben")
    assert "&lt;script&gt;alert(1)" in shown
    assert "script" not in Tags(shown).names
    assert KEY not in shown


@pytest.mark.parametrize("damage", ["gone", "cut", "odd"])
def test_without_evidence_there_are_still_the_verdicts(
    tmp_path: Path, damage: str
) -> None:
    [_, _, ben, *_] = small_class(tmp_path)
    file = evidence_file(tmp_path, ben["grading"]["sha256"], LOOP, 0)
    if damage == "gone":
        file.unlink()
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:100])
    else:
        kept = read_evidence(file)
        for scenario in kept["scenarios"]:
            scenario["evidence"]["events"] = [{"event": "request"}]
        file.write_bytes(gzip.compress(json.dumps(kept).encode()))
    pages.write(Results(tmp_path))
    text = page(tmp_path, "ben")
    assert "tool_call_id is missing" in text
    assert ("This conversation cannot be drawn" in text) == (damage == "odd")


def test_a_lesson_that_this_lab_does_not_have_is_shown_too(tmp_path: Path) -> None:
    [_, _, ben, *_] = small_class(tmp_path)
    old = evidence_file(tmp_path, ben["grading"]["sha256"], LOOP, 0)
    ben["lesson"] = "lesson_99_of_next_year"
    new = evidence_file(tmp_path, ben["grading"]["sha256"], ben["lesson"], 0)
    old.rename(new)
    write_results(tmp_path, [ben])
    pages.write(Results(tmp_path))
    text = page(tmp_path, "ben")
    assert "<h2>lesson_99_of_next_year</h2>" in text
    assert "the agent answers one_lookup" in text


def test_the_page_of_somebody_who_is_gone_goes(tmp_path: Path) -> None:
    [ann, _, ben, *_] = small_class(tmp_path)
    pages.write(Results(tmp_path))
    write_results(tmp_path, [ann])
    pages.write(Results(tmp_path))
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["ann.html"]
    assert ben["submission"] == "ben"


def test_what_the_lab_failed_on_says_that_it_is_not_their_fault(
    tmp_path: Path,
) -> None:
    [*_, line] = small_class(tmp_path)
    line |= {"status": "internal", "submission": "dan"}
    line["grading"]["student"] = "dan"
    write_results(tmp_path, [line])
    pages.write(Results(tmp_path))
    assert "not your fault" in page(tmp_path, "dan")
