"""Names: safe as a file's, printable, and another for each submission."""

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.grading.names import (
    Unique,
    clean_stem,
    owner_by_prefix,
    printable,
    safe_name,
)


@pytest.mark.parametrize("name", ["alice", "j.doe-2", "Ülo", "lesson_03_loop"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert safe_name(name) == name


@given(st.text(min_size=1, max_size=300))
def test_a_safe_name_is_a_files_name_anywhere(name: str) -> None:
    safe = safe_name(name)
    assert 1 <= len(safe.encode()) <= 200
    assert not set(safe) & set('/\\:*?"<>|\0\n\t ')
    assert safe[0] not in ".-"
    assert safe[-1] != "."


@pytest.mark.parametrize("name", ["con", "NUL", "com1.x", "..", ".hidden", "-rf", ""])
def test_names_that_mean_something_to_a_system_are_changed(name: str) -> None:
    assert safe_name(name) != name


def test_other_submissions_get_other_names() -> None:
    names = [
        "a/b",
        "a_b",
        "a b",
        "a\\b",
        "-a",
        "語" * 90,
        "語" * 91,
        "a" * 200,
        "a" * 201,
        "..",
        ".",
        "\ud800",
        "\ud801",
    ]
    assert len({safe_name(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("lab3 (1) copy-2.ipynb", "lab3"),
        ("alice-Copy1.ipynb", "alice"),
        ("alice - Copy (2).py", "alice"),
        ("alice copy 3.IPYNB", "alice"),
        ("photocopy.py", "photocopy"),
        ("copy.py", "copy"),
        ("(1).py", "(1)"),
        ("j.doe", "j.doe"),
        ("alice.zip", "alice"),
    ],
)
def test_the_marks_of_a_copy_are_no_part_of_a_name(name: str, stem: str) -> None:
    assert clean_stem(name) == stem


@given(st.text(max_size=300))
def test_a_printable_name_is_one_line_and_never_empty(name: str) -> None:
    line = printable(name)
    assert line.isprintable()
    assert 1 <= len(line) <= 100
    assert line.encode()


@pytest.mark.parametrize("name", [" " * 60_000, "a_" * 30_000, "(1)" * 20_000])
def test_a_name_made_to_take_long_does_not(name: str) -> None:
    started = time.process_time()
    owner_by_prefix(name)
    clean_stem(name)
    safe_name(name)
    assert time.process_time() - started < 0.5


def test_a_name_that_is_taken_gets_a_number() -> None:
    unique = Unique()
    assert [unique("a"), unique("A"), unique("a", "a/b"), unique("a", "A/B")] == [
        "a",
        "A (2)",
        "a/b",
        "A/B (2)",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such name there")
def test_an_undecodable_byte_in_a_name_is_shown_as_a_number() -> None:
    assert printable("caf\udce9") == "caf\\xdce9"
