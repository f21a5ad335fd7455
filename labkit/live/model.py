"""A live model where a scenario expects a provider: the lab asks it, not the agent."""

from collections.abc import Callable
from typing import Any

from labkit.checking.place import Caps
from labkit.replay.provider import PATIENCE, Provider, Runaway
from labkit.replay.recording import Recording, Turn

Ask = Callable[[dict[str, Any]], Turn]
# What a run on a live model may take: models think, and local ones load first.
LIVE = Caps(seconds=600)
# Three attempts for each of eight steps; a loop that forgets its budget costs money.
MOST = 24
ENOUGH = f"labkit asks a live model {MOST} times in one run, and that is spent"


class LiveModel(Provider):
    """Answers one run's requests by asking an endpoint, and keeps them.

    Nothing is refused here: the server has rules of its own. After `MOST` requests it
    is not asked any more, and a loop that goes on is ended by Runaway.
    """

    def __init__(self, question: str, ask: Ask) -> None:
        super().__init__(Recording("live", {"question": question}, []), expected=MOST)
        self.ask = ask

    def answer(self, request: dict[str, Any]) -> Turn:
        """The endpoint's turn for this request."""
        self.requests.append(request)
        if len(self.requests) >= MOST + PATIENCE:
            raise Runaway(f"request {len(self.requests)} was one too many")
        if len(self.requests) > MOST:
            return {"status": 400, "body": {"error": {"message": ENOUGH, "code": None}}}
        return self.ask(request)
