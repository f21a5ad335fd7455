"""Code as it stands in an assembled file."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.assembly.plain_code import body_size, literal, names_read, plain_code

TYPED = '''
    def score(case: dict[str, Any], *, limit: float = 3.5) -> list[str]:
        """Every reason against it.

        And more about that.
        """
        # why
        found: list[str] = []  # type: ignore[misc]

        return found
'''


def test_a_head_loses_its_annotations_and_a_docstring_all_but_its_first_line() -> None:
    assert plain_code(TYPED).splitlines() == [
        "def score(case, *, limit=3.5):",
        '    """Every reason against it."""',
        "    # why",
        "    found: list[str] = []",
        "",
        "    return found",
    ]


def test_a_head_that_is_too_long_is_broken() -> None:
    names = [f"a_rather_long_name_{number}" for number in range(8)]
    code = plain_code(f"def function({', '.join(names)}): return 1", indent=4)
    assert max(map(len, code.splitlines())) <= 88


def test_only_lines_of_code_are_counted() -> None:
    assert body_size(TYPED) == 2


def test_names_of_its_own_are_not_read_from_outside() -> None:
    code = """
    def ask(client, *, model=MODEL):
        replies = [len(word) for word in client.words if word in known]
        def inner():
            return json.dumps(replies)
        return inner
    """
    assert names_read(code) == {"MODEL", "len", "known", "json"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_a_literal_is_the_value_again(value: Any) -> None:
    assert ast.literal_eval(literal(value)) == value


@pytest.mark.parametrize("length", [60, 90, 400])
def test_a_long_text_is_broken_into_lines(length: int) -> None:
    text = ("many words, " * 40)[:length]
    code = literal({"parameters": {"description": text}})
    assert ast.literal_eval(code)["parameters"]["description"] == text
    assert max(map(len, code.splitlines())) <= 88
