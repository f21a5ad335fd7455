"""A report for people: at most four lines a verdict, nothing that acts."""

from labkit.checking.report import CheckResult, Report
from labkit.display.report import as_html, as_text, check_lines

NASTY = "<script>alert(1)</script>\x1b[31m\nsecond line"


def result(outcome: str = "failed", **fields: str) -> CheckResult:
    return CheckResult("a_check", "step", "it holds", outcome, 1, **fields)


def report(*checks: CheckResult) -> Report:
    return Report("lesson_x", "ann", 0, checks=list(checks))


def test_a_failure_has_four_lines_and_no_more() -> None:
    lines = check_lines(result(seen="three\nlines\nhere", expected="two", try_="count"))
    assert lines == [
        "✗ it holds",
        "  three lines here",
        "  expected: two",
        "  try: count",
    ]


def test_outcomes_are_told_apart_without_colour() -> None:
    marks = {check_lines(result(o))[0][0] for o in ("passed", "failed", "skipped")}
    assert len(marks) == 3


def test_a_skipped_check_says_that_it_waits() -> None:
    assert check_lines(result("skipped")) == [
        "- it holds (judged once those above pass)"
    ]


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = as_text(report(result(seen=NASTY)))
    assert "\x1b" not in text
    assert "\\x1b[31m second line" in text


def test_html_shows_markup_and_does_not_run_it() -> None:
    hostile = report(result(seen=NASTY, expected=NASTY, try_=NASTY))
    hostile.notes, hostile.printed = [f"{NASTY} noted"], NASTY
    html = as_html(hostile)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 5


def test_both_faces_have_the_sum() -> None:
    shown = report(result("passed"), result())
    assert as_text(shown, timed=False).endswith("1 of 2 checks passed, 1 of 2 points")
    assert "1 of 2 checks passed</strong>, 1 of 2 points" in as_html(shown)


def test_what_the_code_printed_is_shown_in_part() -> None:
    shown = report(result("passed"))
    shown.printed = "hello\n" * 50
    for face in (as_text(shown), as_html(shown)):
        assert face.count("hello") == 10
        assert "and 40 more lines" in face


def test_a_note_that_a_verdict_tells_already_is_not_told_twice() -> None:
    shown = report(result("error", seen="line 1: NameError: x"))
    shown.notes = ["line 1: NameError: x", "another note"]
    for face in (as_text(shown), as_html(shown)):
        assert face.count("NameError") == 1
        assert "another note" in face


def test_a_line_is_cut_before_it_fills_the_screen() -> None:
    assert len(check_lines(result(seen="x" * 5000))[1]) < 310
