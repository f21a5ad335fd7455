"""What kind of tool result the replayed model was just given."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from labkit.agent import truncate
from labkit.replay.reactions import last_tool_result, says_nothing
from labkit.shop import Shop
from tests.agent.turns import call
from tests.replay.conversations import USER, asking, request, result

USELESS: list[Any] = [
    "",
    None,
    "Error",
    "error!",
    "failed",
    "Invalid.",
    "ERROR: failed",
    {},
    0,
]
USEFUL: list[Any] = [
    "there is no order 'NW-9999'",
    "KeyError: 'x'",
    "not JSON",
    "closed",
    404,
]


def kind(content: Any, name: str = "lookup_order") -> str | None:
    """The kind of this content as the result of a call of that tool."""
    return last_tool_result(request(asking(call(name)), result(content=content)))


@pytest.fixture(scope="module")
def table() -> Iterator[str]:
    """The oversized result."""
    with closing(Shop()) as shop:
        yield json.dumps(shop.list_orders())


@pytest.mark.parametrize(
    "content",
    ['{"order_id": "NW-1041"}', "[]", "42", "null", "", "plain text", '{"errors": 0}'],
)
def test_a_result_without_an_error_is_ok(content: str) -> None:
    assert kind(content) == "ok"


@pytest.mark.parametrize("error", USEFUL)
def test_an_error_that_says_something_is_an_error(error: Any) -> None:
    assert kind(json.dumps({"error": error, "known": ["a"]})) == "error"


@pytest.mark.parametrize("error", USELESS)
def test_an_error_that_says_nothing_is_useless(error: Any) -> None:
    assert kind(json.dumps({"error": error})) == "useless_error"


@pytest.mark.parametrize("error", USELESS)
def test_the_predicate_knows_what_says_nothing(error: Any) -> None:
    assert says_nothing(error)


@pytest.mark.parametrize("error", USEFUL)
def test_the_predicate_lets_pass_what_says_something(error: Any) -> None:
    assert not says_nothing(error)


@pytest.mark.parametrize(
    "content",
    ['{"error": "denied: above the limit"}', "denied", "", '{"status": "ok"}', "null"],
)
def test_a_refund_that_moved_no_money_is_denied_whatever_it_says(content: str) -> None:
    assert kind(content, "refund") == "denied"


def test_a_refund_that_moved_money_is_ok() -> None:
    assert kind('{"refunded": 40.0, "order_id": "NW-1041"}', "refund") == "ok"


def test_the_tool_is_the_one_whose_call_was_answered() -> None:
    calls = [call("refund", id="call_1"), call("lookup_order", id="call_2")]
    paid, looked = result("call_1", '{"refunded": 1}'), result("call_2", "{}")
    assert last_tool_result(request(asking(*calls), paid, looked)) == "ok"
    assert (
        last_tool_result(request(asking(*calls), looked, result("call_1"))) == "denied"
    )


def test_an_id_used_again_is_that_of_the_later_call() -> None:
    first, second = asking(call("refund")), asking(call("lookup_order"))
    asked = request(first, result(content='{"refunded": 1}'), second, result())
    assert last_tool_result(asked) == "ok"


@pytest.mark.parametrize("messages", [(), (asking(call("refund")), result(), USER)])
def test_a_request_that_ends_with_no_result_has_no_kind(messages: Any) -> None:
    assert last_tool_result(request(*messages)) is None


def test_text_parts_are_read_like_text() -> None:
    parts = [{"type": "text", "text": text} for text in ('{"error": ', '"closed"}')]
    assert kind(parts) == "error"


@pytest.mark.parametrize("limit", [200, 500, 2_000, 8_000])
def test_a_table_cut_with_the_two_numbers_is_cut(table: str, limit: int) -> None:
    assert kind(truncate(table, limit), "list_orders") == "cut"


@pytest.mark.parametrize(
    "marker",
    [
        "[{out} of {all} characters left out]",
        "... ({out:,} characters of {all:,} are missing)",
        "<truncated all={all} missing={out}>",
        "...{out}/{all}...",
    ],
)
@pytest.mark.parametrize("place", ["first", "last", "middle"])
def test_a_marker_is_found_in_any_words_and_any_place(
    table: str, marker: str, place: str
) -> None:
    for kept in range(400, 700):
        said = marker.format(out=len(table) - kept, all=len(table))
        half = kept // 2
        head, tail = table[:half], table[-half:]
        text = {"first": said + tail, "last": head + said, "middle": head + said + tail}
        assert kind(text[place], "list_orders") == "cut"


@pytest.mark.parametrize("limit", range(200, 8_000, 333))
def test_half_a_table_without_a_marker_looks_whole(table: str, limit: int) -> None:
    assert kind(table[:limit], "list_orders") == "ok"


@pytest.mark.parametrize(
    "content",
    ['{"value": 50000, "before": 49999}', '{"value": 50000}', "20 of 40 were counted"],
)
def test_large_numbers_alone_are_no_marker(content: str) -> None:
    assert kind(content) == "ok"


def test_a_whole_table_is_ok(table: str) -> None:
    assert kind(table, "list_orders") == "ok"
