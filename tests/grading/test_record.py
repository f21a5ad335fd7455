"""What is written of a submission holds no key, in whatever text it stands."""

import json
from typing import Any

import pytest

from labkit.grading.record import json_without_keys, without_keys
from labkit.grading.redaction import PUT_INSTEAD

KEY = "sk-proj-" + "aB3" * 12


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        f"line\n{KEY}",
        f"\t{KEY}\r\n",
        f"\x00{KEY}",
        f"\u00e9 {KEY}",
        f"\\{KEY}",
        f'api_key = "{KEY}"',
        f'api_key: "{"x7" * 16}"',
    ],
)
def test_a_key_is_found_whatever_stands_before_it(text: str) -> None:
    value = {"events": [{"text": text}, 1, None, True]}
    written = json_without_keys(value)
    assert without_keys(value) == json.loads(written)
    assert KEY not in written
    assert "x7x7" not in written
    assert PUT_INSTEAD in json.loads(written)["events"][0]["text"]


def test_a_key_in_the_name_of_a_field_is_found() -> None:
    assert KEY not in json_without_keys({"args": {KEY: 1}})


@pytest.mark.parametrize("value", [{}, {"a": ['b\n"c"', 1.5, float("inf")]}, "\ud800"])
def test_what_holds_no_key_stays_as_it_is(value: Any) -> None:
    assert json.loads(json_without_keys(value)) == value
