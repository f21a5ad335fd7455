"""The replayed provider: answers from a recording, as strict as the real one."""

from dataclasses import asdict
from typing import Any

from labkit.replay.reactions import last_tool_result
from labkit.replay.recording import Recording, Turn
from labkit.replay.rules import Refusal, find_fault

PATIENCE = 4


class Runaway(BaseException):
    """Ends a loop that goes on asking; no `except Exception` can swallow it."""


class Provider:
    """Answers requests in the recording's order, keeps them, and refuses wrong ones.

    `level` is "openai" or "strict" (see `labkit.replay.rules`). `expected` is how many
    requests a right loop makes, by default one per turn; the fourth beyond it raises
    Runaway.
    """

    def __init__(
        self, recording: Recording, level: str = "openai", expected: int | None = None
    ) -> None:
        self.recording = recording
        self.level = level
        self.expected = expected or len(recording.turns)
        self.requests: list[dict[str, Any]] = []
        self.refusals: dict[int, Refusal] = {}
        self.turn = 0

    def answer(self, request: dict[str, Any]) -> Turn:
        """The turn that answers this request; a refused request uses up no turn.

        A refusal is a turn too, a 400 in the API's words, kept in `refusals` under the
        request's number.
        """
        self.requests.append(request)
        if len(self.requests) >= self.expected + PATIENCE:
            raise Runaway(f"request {len(self.requests)} was one too many")
        refusal = find_fault(request, self.level) or self._ended()
        if refusal:
            self.refusals[len(self.requests)] = refusal
            return _as_turn(refusal)
        turn = self._choose(request)
        if not turn.get("repeat"):
            self.turn += 1
        return turn

    def _choose(self, request: dict[str, Any]) -> Turn:
        """This turn, or of its alternatives the first whose `when` holds."""
        turn = self.recording.turns[self.turn]
        options: list[Turn] = turn.get("any", [turn])
        for option in options:
            wanted = option.get("when", {}).get("last_tool_result")
            if wanted is None or wanted == last_tool_result(request):
                return option
        return options[-1]

    def _ended(self) -> Refusal | None:
        turns = len(self.recording.turns)
        if self.turn < turns:
            return None
        text = (
            f"The recording {self.recording.name!r} ends after {turns} replies and "
            f"this is request {len(self.requests)}: the conversation was over. To "
            "begin it anew, connect to it again."
        )
        return Refusal("recording_ended", text, code="recording_ended")


def _as_turn(refusal: Refusal) -> Turn:
    fields = asdict(refusal)
    error = {
        "message": fields["text"],
        "type": "invalid_request_error",
        "param": fields["param"],
        "code": fields["code"],
    }
    return {"status": 400, "body": {"error": error}}
