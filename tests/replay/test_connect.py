"""connect() replays a shipped recording behind a real client, without a key."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing

import openai
import pytest

import labkit
from labkit.errors import LabError
from labkit.replay import connect
from labkit.shop import Shop
from tests.replay.conftest import ask

Connect = Callable[..., openai.OpenAI]


@pytest.fixture
def connected() -> Iterator[Connect]:
    """Connect as a notebook does; the clients are closed after the test."""
    made = []

    def keep(recording: str, **how: int) -> openai.OpenAI:
        made.append(connect(recording, **how))
        return made[-1]

    yield keep
    for client in made:
        client.close()


@pytest.fixture(autouse=True)
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)


def test_a_recording_is_found_by_its_name_and_replayed(connected: Connect) -> None:
    client = connected("one_lookup")
    assert isinstance(client, openai.OpenAI)
    message = ask(client).choices[0].message
    assert message.tool_calls[0].function.name == "lookup_order"


def test_two_clients_of_one_recording_both_begin_at_its_beginning(
    connected: Connect,
) -> None:
    first, second = connected("at_once"), connected("at_once")
    assert ask(first) == ask(second)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_facts_are_those_of_the_seeds_shop(connected: Connect, seed: int) -> None:
    message = ask(connected("two_conversions", seed=seed)).choices[0].message
    arguments = json.loads(message.tool_calls[0].function.arguments)
    with closing(Shop(seed)) as shop:
        assert arguments["amount"] == shop.lookup_order("NW-1041")["price"]


def test_another_seed_has_other_ids(connected: Connect) -> None:
    replies = [ask(connected("one_lookup", seed=seed)) for seed in (0, 1)]
    first, second = (reply.choices[0].message.tool_calls[0].id for reply in replies)
    assert first != second


def test_the_replay_is_as_strict_as_the_provider(connected: Connect) -> None:
    with pytest.raises(openai.BadRequestError, match="preceding message"):
        connected("at_once").chat.completions.create(
            model="replayed",
            messages=[{"role": "tool", "tool_call_id": "call_1", "content": "{}"}],
        )


def test_an_unknown_recording_is_named_with_the_nearest_one() -> None:
    with pytest.raises(LabError, match=r"no recording 'one_lokup'.*one_lookup"):
        connect("one_lokup")


def test_labkit_itself_offers_it() -> None:
    assert labkit.connect is connect


def test_a_client_may_begin_at_a_later_turn() -> None:
    client = connect("forgetful", turn=3)
    question = {"role": "user", "content": "Which order did I mean?"}
    reply = client.chat.completions.create(model="any", messages=[question])
    assert reply.choices[0].message.content == "You meant order NW-1041."
