"""The stream between the lab and the learner's side."""

import socket
import time
from collections.abc import Iterator

import pytest

from labkit.checking.channel import (
    LARGEST_FRAME,
    MOST_HELD,
    Channel,
    Closed,
    Malformed,
)

Pair = tuple[Channel, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair()
    yield Channel(ours), theirs
    ours.close()
    theirs.close()


def test_a_frame_arrives_as_it_was_sent(pair: Pair) -> None:
    channel, other = pair
    frame = {"text": "\ud800 é", "list": [1, None, True], "nan": 1.5}
    Channel(other).send(frame)
    assert channel.receive() == frame


def test_what_is_held_comes_before_the_frame_it_was_held_for(pair: Pair) -> None:
    channel, other = pair
    child = Channel(other)
    child.hold({"tell": 1})
    child.hold({"tell": 2})
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic() + 0.05)
    child.send({"ask": 3})
    frames = [channel.receive() for _ in range(3)]
    assert frames == [{"tell": 1}, {"tell": 2}, {"ask": 3}]


def test_much_is_not_held(pair: Pair) -> None:
    channel, other = pair
    Channel(other).hold({"tell": "a" * MOST_HELD})
    assert len(channel.receive(time.monotonic() + 5)["tell"]) == MOST_HELD


def test_waiting_ends_at_the_deadline_even_in_the_middle_of_a_frame(pair: Pair) -> None:
    channel, other = pair
    other.sendall((100).to_bytes(4, "big") + b'{"a":')
    with pytest.raises(TimeoutError):
        channel.receive(time.monotonic() + 0.05)


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff",
        (LARGEST_FRAME + 1).to_bytes(4, "big"),
        (4).to_bytes(4, "big") + b"oops",
        (2).to_bytes(4, "big") + b"[]",
        (100_000).to_bytes(4, "big") + b"[" * 100_000,
    ],
)
def test_what_is_no_frame_is_malformed(pair: Pair, data: bytes) -> None:
    channel, other = pair
    other.sendall(data)
    with pytest.raises(Malformed):
        channel.receive(time.monotonic() + 5)


def test_the_end_of_the_stream_is_closed_for_both_directions(pair: Pair) -> None:
    channel, other = pair
    other.close()
    with pytest.raises(Closed):
        channel.receive()
    with pytest.raises(Closed):
        channel.send({"a": 1})
