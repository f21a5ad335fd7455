"""You are the model: a run that waits for the next reply of somebody at the keys."""

from typing import Any

from labkit.checking.evidence import Evidence
from labkit.checking.scenario import Run
from labkit.checking.world import World
from labkit.replay.by_hand import by_hand
from labkit.replay.provider import Provider
from labkit.replay.rules import find_fault
from labkit.watched import STOCK_LIMITS, whole

# As strict as the strictest server in the lessons.
LEVEL = "strict"
AGENT = "support"


class YourTurn:
    """One conversation in which somebody answers in the model's place.

    After each reply the agent takes one more step. The steps before it are taken again
    with the replies they had, in a fresh shop, so an agent that hangs or dies takes
    nothing with it. `seen` is the whole run as it stands.
    """

    def __init__(self, agent: Any, parts: list[str], question: str) -> None:
        self.agent = agent
        self.parts = parts
        self.begin(question)

    def begin(self, question: str) -> None:
        """A new conversation, with nothing said yet but the question."""
        self.question = question
        self.replies: list[Any] = []
        self._run()

    def reply(self, reply: Any) -> None:
        """One reply: a text, a call, or a list of calls, as `by_hand` takes them.

        Nothing happens where nobody waits for one. LabError for anything else.
        """
        if not self.waits:
            return
        by_hand(self.question, [reply])
        self.replies.append(reply)
        self._run()

    def take_back(self) -> None:
        """The conversation as it was before the last reply."""
        if self.replies:
            self.replies.pop()
            self._run()

    @property
    def waits(self) -> bool:
        """Whether the agent has asked, and waits for a reply."""
        return self.seen.stopped == "waiting"

    def _run(self) -> None:
        recording = by_hand(self.question, self.replies)
        run = Run(recording.name, "", AGENT, limits=STOCK_LIMITS, level=LEVEL)
        with whole([self.agent], self.parts) as complete:
            world = Attended(run, provider=Provider(recording, LEVEL))
            watched = complete.perform(world)
        self.seen: Evidence = watched.seen
        self.notes = watched.notes


class Attended(World):
    """A world in which the run waits where the replies end, if its request is right."""

    def _request(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.provider is not None
        left = len(self.provider.recording.turns) - self.provider.turn
        if left or find_fault(request, self.provider.level):
            return super()._request(request)
        self._saw_request(self.provider.requests, request)
        return self.stop("waiting")
