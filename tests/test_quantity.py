"""Counts are said as one says them."""

from labkit.quantity import quantity


def test_one_is_said_in_the_singular() -> None:
    assert quantity(1, "call") == "1 call"
    assert quantity(1, "copy of the finished code") == "1 copy of the finished code"


def test_none_and_many_are_said_in_the_plural() -> None:
    assert quantity(0, "tool run") == "0 tool runs"
    assert quantity(2, "reply") == "2 replies"
    assert quantity(3, "file of several students") == "3 files of several students"


def test_a_count_that_is_text_is_said_as_it_is() -> None:
    assert quantity("1", "more call") == "1 more call"
    assert quantity("1,200", "message") == "1,200 messages"
