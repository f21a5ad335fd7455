"""Agents on turns written by hand, and the shop behind their tools."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from labkit import shop as northwind
from labkit.agent import Agent, Limits, Result
from labkit.replay.rules import find_fault
from labkit.replay.transport import client_for
from labkit.shop import Shop
from tests.agent.turns import Turn

UNLIMITED = {"steps": 10**9, "tool_calls": 10**9, "tokens": 10**9}


@dataclass
class Stage:
    """An agent, and the requests that reached its provider."""

    agent: Agent
    requests: list[dict[str, Any]]

    def run(self, question: str = "What about NW-1041?") -> Result:
        return self.agent.run(question)


StageFor = Callable[..., Stage]


def only(**caps: int) -> Limits:
    """Limits with these caps and no other."""
    return Limits(**UNLIMITED | caps)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with closing(Shop()) as shop:
        yield shop


@pytest.fixture
def power(shop: Shop) -> str:
    """The id of the order of the power unit, which costs 640."""
    return shop.facts()["power.id"]


@pytest.fixture
def stage(shop: Shop) -> Iterator[StageFor]:
    """Make an agent whose provider answers with these turns, and with nothing else.

    A request that a strict provider would refuse fails the test at once.
    """
    clients = []

    def made(*turns: Turn, **options: Any) -> Stage:
        requests: list[dict[str, Any]] = []
        left = iter(turns)

        def answer(request: dict[str, Any]) -> Turn:
            requests.append(request)
            if fault := find_fault(request, "strict"):
                pytest.fail(f"request {len(requests)}: {fault.text}")
            if (turn := next(left, None)) is None:
                pytest.fail(f"request {len(requests)} was one too many")
            return turn

        clients.append(client_for(answer))
        options.setdefault("tools", northwind.TOOLS)
        options.setdefault("functions", shop.functions)
        return Stage(Agent(clients[-1], **options), requests)

    yield made
    for client in clients:
        client.close()
