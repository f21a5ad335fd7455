"""What is too long is cut, and says by how much."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.agent import truncate
from tests.agent.turns import steady

LIMITS = st.integers(200, 1_200)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def numbers_in_marker(text: str) -> list[int]:
    """What the marker says: how many characters were left out, of how many."""
    return [int(number) for number in re.findall(r"\d+", text.rpartition("\n")[2])]


@pytest.mark.parametrize("length", [0, 1, 199, 200])
def test_what_fits_is_unchanged_exactly_at_the_limit_too(length: int) -> None:
    assert truncate("x" * length, 200) == "x" * length


@pytest.mark.parametrize("length", [201, 250, 9_999, 1_000_000])
def test_what_does_not_fit_uses_the_limit_and_never_more(length: int) -> None:
    assert 190 <= len(truncate("x" * length, 200)) <= 200


def test_characters_are_counted_and_not_bytes() -> None:
    assert truncate("\u00fc" * 200, 200) == "\u00fc" * 200


@steady
@given(TEXTS, st.integers(1, 5_000), LIMITS)
def test_what_was_kept_and_what_was_left_out_make_the_whole(
    piece: str, times: int, limit: int
) -> None:
    text = piece * times
    short = truncate(text, limit)
    if short != text:
        kept, _, _ = short.rpartition("\n")
        left_out, whole = numbers_in_marker(short)
        assert whole == len(text)
        assert len(kept) + left_out == whole


@steady
@given(TEXTS, st.integers(1, 5_000), LIMITS)
def test_what_is_kept_is_how_the_text_begins(
    piece: str, times: int, limit: int
) -> None:
    text = piece * times
    short = truncate(text, limit)
    assert len(short) <= limit
    assert text.startswith(short if short == text else short.rpartition("\n")[0])
