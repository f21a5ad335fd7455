"""What crosses from the learner's side: plain JSON, by exact type."""

import json
import math
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from labkit.agent import Call, Decision, Result
from labkit.checking.plain import plain


class Yes:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Words(str):
    def __str__(self) -> str:
        return "another text"


class MyCall(Call):
    pass


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "x", [1, [2]], {"a": {"b": 1}}])
def test_builtins_cross_as_they_are(value: Any) -> None:
    assert plain(value) == value


@pytest.mark.parametrize(
    ("value", "name"),
    [(Yes(), "Yes"), (object(), "object"), ({1: 2}, "dict")],
)
def test_anything_else_is_opaque(value: Any, name: str) -> None:
    assert plain(value) == {"opaque": name}


def test_a_subclass_of_text_crosses_as_its_text() -> None:
    assert type(plain(Words("x"))) is str
    assert plain(Words("x")) == "x"


def test_what_is_too_long_or_too_deep_is_opaque() -> None:
    itself: list[Any] = []
    itself.append(itself)
    assert plain("x" * 10**6) == {"opaque": "str"}
    assert plain(10**400) == {"opaque": "int"}
    assert "opaque" in json.dumps(plain(itself))


def test_objects_of_labkit_and_their_subclasses_cross_as_fields() -> None:
    fields = {"id": "a", "name": "b", "arguments": "{}", "seconds": 0.0}
    assert plain(MyCall("a", "b", "{}")) == {"type": "Call", "fields": fields}
    assert plain(Decision(True, "ok"))["fields"] == {"allowed": True, "reason": "ok"}
    assert plain(Result("q"))["fields"]["question"] == "q"


def test_the_sdks_objects_cross_as_a_dict() -> None:
    message = ChatCompletionMessage(role="assistant", content="hi")
    assert plain(message)["content"] == "hi"


def test_nan_stays_a_number() -> None:
    assert math.isnan(plain(math.nan))
