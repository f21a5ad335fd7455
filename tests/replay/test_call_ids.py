"""Call ids are redrawn for each seed, everywhere alike and nowhere else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.replay.recording import call_ids
from tests.agent.turns import Turn, asks, call, says, steady
from tests.replay.conftest import Recorded

IDS = st.text("abcXYZ019_-", min_size=1, max_size=12)


def ids_of(turns: list[Turn]) -> list[str]:
    return [id for turn in turns for id in call_ids(turn)]


def streamed(id: str, spaced: bool = True) -> str:
    """A line of a stream in which this call begins."""
    delta = {"tool_calls": [{"index": 0, "id": id, "function": {"name": "refund"}}]}
    separators = (", ", ": ") if spaced else (",", ":")
    chunk = json.dumps({"choices": [{"delta": delta}]}, separators=separators)
    return f"data: {chunk}"


def test_seed_0_keeps_every_turn_as_it_is_on_file(recorded: Recorded) -> None:
    turns = [asks(call("refund", id="call_7Qm2")), {"sse": [streamed("call_x")]}]
    assert recorded(*turns, seed=0).turns == turns


@pytest.mark.parametrize("seed", [1, 2, 99])
def test_another_seed_gives_other_ids_as_long_and_as_prefixed(
    recorded: Recorded, seed: int
) -> None:
    [drawn] = ids_of(recorded(asks(call("refund", id="call_7Qm2x")), seed=seed).turns)
    assert drawn != "call_7Qm2x"
    assert drawn.startswith("call_")
    assert len(drawn) == len("call_7Qm2x")


def test_the_same_seed_draws_the_same_ids(recorded: Recorded) -> None:
    turn = asks(call("refund", id="call_7Qm2"))
    assert recorded(turn, seed=5).turns == recorded(turn, seed=5).turns


def test_seeds_differ(recorded: Recorded) -> None:
    turn = asks(call("refund", id="call_7Qm2xRkD"))
    drawn = {ids_of(recorded(turn, seed=seed).turns)[0] for seed in range(20)}
    assert len(drawn) == 20


def test_an_id_is_redrawn_alike_wherever_it_stands(recorded: Recorded) -> None:
    asked = asks(call("refund", id="call_7Qm2"))
    turns = recorded(
        asked,
        {"sse": [streamed("call_7Qm2"), streamed("call_7Qm2", spaced=False)]},
        {"any": [{"repeat": True, **asked}, asked]},
        {"body": {"echo": [{"role": "tool", "tool_call_id": "call_7Qm2"}]}},
        seed=3,
    ).turns
    [drawn] = set(ids_of(turns))
    assert turns[3]["body"]["echo"][0]["tool_call_id"] == drawn
    assert "call_7Qm2" not in json.dumps(turns)


def test_a_streamed_id_is_redrawn_if_it_stands_nowhere_else(
    recorded: Recorded,
) -> None:
    [turn] = recorded({"sse": [streamed("call_7Qm2"), "data: [DONE]"]}, seed=3).turns
    [drawn] = ids_of([turn])
    assert drawn != "call_7Qm2"
    assert turn["sse"] == [streamed(drawn), "data: [DONE]"]


@pytest.mark.parametrize("id", ["lookup_order", "function", "call_1", "0", "assistant"])
def test_nothing_but_the_id_is_redrawn(recorded: Recorded, id: str) -> None:
    def asked(id: str, text: str) -> Turn:
        named = call("lookup_order", {"order_id": text, "text": text}, id=id)
        turn = asks(named)
        turn["body"]["choices"][0]["message"]["content"] = f'{text} "{text}" {text}1'
        return turn

    turns = recorded(asked(id, "call_1"), seed=4).turns
    [drawn] = ids_of(turns)
    assert turns == [asked(drawn, "call_1")]


@pytest.mark.parametrize("id", ["", "chatcmpl-1"])
def test_where_nothing_was_called_nothing_is_redrawn(
    recorded: Recorded, id: str
) -> None:
    assert recorded(says("Hello.", id=id), seed=4).turns == [says("Hello.", id=id)]


def test_two_ids_never_become_one(recorded: Recorded) -> None:
    asked = asks(*[call("refund", id=f"call_{n}") for n in range(10)])
    for seed in range(50):
        assert len(set(ids_of(recorded(asked, seed=seed).turns))) == 10


def test_an_id_that_comes_twice_on_purpose_stays_the_same_twice(
    recorded: Recorded,
) -> None:
    twice = asks(call("refund", id="call_a"), call("refund", id="call_a"))
    assert len(set(ids_of(recorded(twice, seed=6).turns))) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"choices": None},
        {"choices": [None]},
        {"choices": "none"},
        {"choices": [{"message": "Hello"}]},
        {"choices": [{"message": {"tool_calls": [None, {"id": None}, {"id": 5}]}}]},
        [],
        "text",
        None,
    ],
    ids=str,
)
def test_a_body_of_any_shape_is_read_and_left_alone(
    recorded: Recorded, body: Any
) -> None:
    assert recorded({"body": body}, seed=7).turns == [{"body": body}]


@steady
@given(st.lists(IDS, unique=True, min_size=1, max_size=8), st.integers(1, 1_000))
def test_any_ids_stay_apart_and_in_their_places(
    recorded: Recorded, ids: list[str], seed: int
) -> None:
    turns = [asks(*[call("refund", id=id) for id in ids]), says("Done.")]
    read = recorded(*turns, seed=seed).turns
    drawn = ids_of(read)
    assert len(set(drawn)) == len(ids)
    assert read == [asks(*[call("refund", id=id) for id in drawn]), says("Done.")]
