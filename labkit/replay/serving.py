"""Which turn a served request gets: one conversation at a time."""

import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any

from labkit.errors import LabError
from labkit.lab import unknown
from labkit.replay.provider import Provider
from labkit.replay.reactions import text_of
from labkit.replay.recording import Recording, Turn
from labkit.replay.rules import LEVELS
from labkit.replay.server import Server
from labkit.replayed_run import asked_recording, named_recording

UNLIMITED = 10**9


def serve(
    recording: str | None,
    port: int,
    seed: int,
    level: str | None,
    say: Callable[[str], object],
) -> None:
    """Serve until somebody presses Ctrl-C; the address is the first thing said.

    Without a recording, the one that is on file for each question. Raises LabError for
    a recording, a level or a port that there is none of.
    """
    if level not in (None, *LEVELS):
        raise LabError(unknown("level", level or "", list(LEVELS)))
    served = named_recording(recording, seed) if recording else None

    def find(question: str) -> Recording:
        return served or asked_recording(question, seed)

    with Server(Conversation(find, level).answer, port) as server:
        # Started in the background, a program is told to ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            say(server.address)
            what = served.name if served else "every recording, found by its question"
            say(f"serves {what}; no key is needed, and Ctrl-C ends it")
            server.serve_forever()
    say("The server has stopped.")


class Conversation:
    """Answers requests from the recording that `find` gives for a question.

    A request without a message of the model's in it begins the recording again, unless
    it is one more attempt after an answer that was no reply; any other goes on where
    the recording is. So there is one conversation at a time.
    """

    def __init__(
        self, find: Callable[[str], Recording], level: str | None = None
    ) -> None:
        self.find = find
        self.level = level
        self.provider: Provider | None = None
        self.last: tuple[Any, Turn] = (None, {})
        self.turn = Lock()

    def answer(self, request: dict[str, Any]) -> Turn:
        """The turn for this request; a question nobody recorded is a 404."""
        with self.turn:
            try:
                provider = self._provider(request)
            except LabError as error:
                return {"status": 404, "body": {"error": {"message": str(error)}}}
            turn = provider.answer(request)
            self.last = (request.get("messages"), turn)
            return turn

    def _provider(self, request: dict[str, Any]) -> Provider:
        if self.provider is None or self._begins(request):
            recording = self.find(_question(request))
            level = self.level or recording.header.get("setup", {}).get("level")
            self.provider = Provider(recording, level or "openai", UNLIMITED)
        return self.provider

    def _begins(self, request: dict[str, Any]) -> bool:
        """Whether it is a first request, and no further attempt at one."""
        messages, turn = self.last
        if any(role == "assistant" for role, _ in _said(request)):
            return False
        retried = bool(messages == request.get("messages") and not _is_reply(turn))
        return not retried or self._is_over()

    def _is_over(self) -> bool:
        provider = self.provider
        return bool(provider and provider.turn >= len(provider.recording.turns))


def _said(request: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and text of each message, whatever a client sent as messages."""
    messages = request.get("messages")
    listed = messages if isinstance(messages, list) else []
    found = [message for message in listed if isinstance(message, dict)]
    return [(str(m.get("role")), text_of(m.get("content"))) for m in found]


def _question(request: dict[str, Any]) -> str:
    """The last thing that the user said."""
    return next((text for role, text in _said(request)[::-1] if role == "user"), "")


def _is_reply(turn: Turn) -> bool:
    """Whether the client has something of the model's now, and need not ask again."""
    if "sse" in turn:
        return bool(turn.get("end", "done") == "done")
    body = turn.get("body")
    choices = body.get("choices") if isinstance(body, dict) else None
    return bool(choices and turn.get("status", 200) == 200)
