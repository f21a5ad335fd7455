"""A loop that goes on asking is ended, and cannot help it."""

from typing import Any

import pytest

from labkit.replay.provider import Provider, Runaway
from tests.agent.turns import says
from tests.replay.conftest import ClientFor, Recorded, ask
from tests.replay.conversations import request, result

QUESTION = request()
REFUSED = request(result())
ONE = says("One.")


@pytest.fixture
def provider(recorded: Recorded) -> Any:
    """Make a provider of these turns."""
    return lambda *turns, **how: Provider(recorded(*turns), **how)


@pytest.mark.parametrize(("expected", "allowed"), [(None, 4), (1, 4), (8, 11)])
def test_the_fourth_request_too_many_ends_the_loop(
    provider: Any, expected: int | None, allowed: int
) -> None:
    made = provider(ONE, expected=expected)
    for _ in range(allowed):
        made.answer(QUESTION)
    with pytest.raises(Runaway, match=f"request {allowed + 1} "):
        made.answer(QUESTION)


def test_a_loop_that_repeats_a_refused_request_is_ended_too(provider: Any) -> None:
    made = provider(ONE)
    for _ in range(4):
        made.answer(REFUSED)
    with pytest.raises(Runaway):
        made.answer(REFUSED)


def test_no_except_exception_can_swallow_the_end() -> None:
    assert issubclass(Runaway, BaseException)
    assert not issubclass(Runaway, Exception)


def test_the_end_passes_through_the_real_client_and_a_stubborn_loop(
    provider: Any, client: ClientFor
) -> None:
    made = provider(ONE)
    real = client(made.answer)

    def stubborn() -> None:
        while True:
            try:
                ask(real)
            except Exception:
                continue

    with pytest.raises(Runaway):
        stubborn()
    assert len(made.requests) == 5
