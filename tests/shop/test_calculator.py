"""The calculator does sums and nothing else, at once, whatever it is given."""

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.faults import Fault
from labkit.shop.calculator import LONGEST, calculate

HUGE_POWERS = ["9**9**9", "10**4000000", "2**3999999", "9**99**99", "(9**99)**99"]
NOT_ARITHMETIC = [
    "__import__('os').system('ls')",
    "print(1)",
    "abs(-1)",
    "1(2)",
    "price * 2",
    "e",
    "(1).real",
    "'2' * 3",
    "1 < 2",
    "1 == 1",
    "1 and 2",
    "not 1",
    "True",
    "None",
    "...",
    "[1, 2][0]",
    "1,234 * 2",
    "1 if 2 else 3",
    "x = 3",
    "1; 2",
    "1\n2",
    "1 << 3",
    "2 ^ 3",
    "~1",
    "3j",
    "0x10",
    "2 \N{MULTIPLICATION SIGN} 3",
    "\N{ARABIC-INDIC DIGIT TWO} + 1",
    "\ud800",
    "1\0",
    "2 +",
    "1e",
    "",
    "   ",
]
PIECES = st.sampled_from([*"0123456789.eE_+-*/%() \n", "**", "//", "1e308", "9.5"])
NUMBERS = st.integers(-999, 999) | st.integers(-9999, 9999).map(lambda n: n / 10)
SUMS = st.recursive(
    NUMBERS.map(str),
    lambda part: st.tuples(part, st.sampled_from("+-*"), part).map(
        lambda found: "({} {} {})".format(*found)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2.4 * 16.5", 39.6),
        ("0.1 + 0.2", 0.3),
        ("2 + 3 * 4", 14),
        ("-(2 + 3)", -5),
        ("+2", 2),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("2 ** 10", 1024),
        ("2 ** -1", 0.5),
        ("2 ** 0.5", 1.4142135624),
        ("1 ** 4000000", 1),
        ("(-1) ** 3999999", -1),
        ("1e3 + 1_000", 2000.0),
        ("  1 + 1\t", 2),
        ("(1 +\n 1)", 2),
        ("1 / 3", 0.3333333333),
        ("3 - 3.0", 0.0),
    ],
)
def test_arithmetic_gives_its_value_to_ten_decimals(
    expression: str, value: Any
) -> None:
    assert calculate(expression) == value


def test_whole_numbers_stay_whole_and_a_quotient_does_not() -> None:
    assert json.dumps(calculate("2 * 3")) == "6"
    assert json.dumps(calculate("6 / 3")) == "2.0"


def test_a_tiny_negative_is_not_shown_as_minus_zero() -> None:
    assert json.dumps(calculate("-1 / 10 ** 12")) == "0.0"


@pytest.mark.parametrize("expression", NOT_ARITHMETIC)
def test_anything_but_arithmetic_is_refused_with_what_is_valid(expression: str) -> None:
    with pytest.raises(Fault, match=r"\+ - \* / // % \*\* and parentheses"):
        calculate(expression)


@pytest.mark.parametrize("value", [None, 5, 2.5, True, b"1+1", ["1+1"], {"a": 1}])
def test_an_expression_that_is_no_text_is_refused(value: Any) -> None:
    with pytest.raises(Fault, match="expression must be text"):
        calculate(value)


@pytest.mark.parametrize("expression", HUGE_POWERS)
def test_a_huge_power_is_refused_before_it_is_computed(expression: str) -> None:
    began = time.perf_counter()
    with pytest.raises(Fault, match="goes beyond"):
        calculate(expression)
    assert time.perf_counter() - began < 0.1


@pytest.mark.parametrize(
    "expression",
    ["1e999", "-1e999", "1 / 1e999", "1e200 * 1e200", "1e300 * 10", "9e999*0"],
)
def test_no_number_on_the_way_may_be_infinite(expression: str) -> None:
    with pytest.raises(Fault, match="goes beyond"):
        calculate(expression)


def test_many_large_factors_do_not_make_a_number_that_json_cannot_hold() -> None:
    with pytest.raises(Fault, match="goes beyond"):
        calculate("*".join(["9**90"] * 30))


@pytest.mark.parametrize(
    "expression", ["1 / 0", "1 // 0", "1 % 0", "0 ** -1", "1 / 0.0"]
)
def test_a_division_by_zero_is_called_that(expression: str) -> None:
    with pytest.raises(Fault, match="divides by zero"):
        calculate(expression)


def test_the_root_of_a_negative_number_is_refused() -> None:
    with pytest.raises(Fault, match="not a real number"):
        calculate("(-8) ** 0.5")


@pytest.mark.parametrize("expression", ["(" * 99 + "1" + ")" * 99, "-" * 198 + "1"])
def test_deep_nesting_within_the_length_is_calculated(expression: str) -> None:
    assert calculate(expression) == 1


@pytest.mark.parametrize("expression", ["(" * 200, "-" * 200, "2**" * 66, "(-" * 100])
def test_unfinished_nesting_is_refused_like_other_nonsense(expression: str) -> None:
    with pytest.raises(Fault):
        calculate(expression)


def test_nesting_deeper_than_the_stack_is_refused_and_does_not_crash() -> None:
    def from_depth(frames: int) -> object:
        return from_depth(frames - 1) if frames else calculate("-" * 198 + "1")

    with pytest.raises(Fault, match="nested too deeply"):
        from_depth(600)


def test_the_longest_expression_passes_and_one_character_more_does_not() -> None:
    longest = "1" + "+1" * ((LONGEST - 2) // 2) + " "
    assert len(longest) == LONGEST
    assert calculate(longest) == LONGEST // 2
    with pytest.raises(Fault, match="201 characters"):
        calculate(longest + " ")


@settings(deadline=None)
@given(st.text(max_size=40) | st.lists(PIECES, max_size=12).map("".join))
def test_any_text_gives_a_number_that_json_can_hold_or_a_fault(expression: str) -> None:
    with suppress(Fault):
        json.dumps(calculate(expression), allow_nan=False)


@settings(deadline=None)
@given(SUMS.filter(lambda text: len(text) <= LONGEST))
def test_sums_agree_with_python(expression: str) -> None:
    assert calculate(expression) == round(eval(expression), 10)
