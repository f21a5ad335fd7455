"""Where a recording is plugged in: the HTTP transport below the real openai client."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import openai

from labkit.replay.recording import Turn

# A name that can never resolve (RFC 6761): nothing is sent even if a transport is lost.
ADDRESS = "http://replay.invalid/v1"


class ReplayTransport(httpx2.BaseTransport):
    """Hands each request's JSON to `answer` and makes the turn it gets a response."""

    def __init__(self, answer: Callable[[dict[str, Any]], Turn]) -> None:
        self.answer = answer

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        turn = self.answer(json.loads(request.content or b"{}"))
        if "sse" in turn:
            return _streamed(turn)
        body = turn.get("body", "")
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "text/html" if isinstance(body, str) else "application/json"
        headers = httpx2.Headers({"content-type": kind})
        headers.update(turn.get("headers"))  # whichever case they are written in
        return httpx2.Response(turn.get("status", 200), headers=headers, text=text)


class _Lines(httpx2.SyncByteStream):
    """The lines of a stream, and how it ends: "done", "eof" or "reset"."""

    def __init__(self, lines: list[str], end: str) -> None:
        self.lines = lines
        self.end = end

    def __iter__(self) -> Iterator[bytes]:
        for line in self.lines:
            yield f"{line}\n\n".encode()
        if self.end == "done":
            yield b"data: [DONE]\n\n"
        if self.end == "reset":
            raise httpx2.ReadError("connection reset by peer")


def client_for(answer: Callable[[dict[str, Any]], Turn]) -> openai.OpenAI:
    """A real openai client that asks `answer` instead of the network."""
    http = httpx2.Client(transport=ReplayTransport(answer), trust_env=False)
    return openai.OpenAI(
        api_key="replayed", base_url=ADDRESS, max_retries=0, http_client=http
    )


def _streamed(turn: Turn) -> httpx2.Response:
    end = turn.get("end", "done")
    if not turn["sse"] and end == "reset":
        raise httpx2.ReadError("connection reset by peer")
    headers = {"content-type": "text/event-stream"}
    return httpx2.Response(200, headers=headers, stream=_Lines(turn["sse"], end))
