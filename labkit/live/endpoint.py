"""The OpenAI-compatible server that the environment names; it answers with turns."""

import ipaddress
import json
import os
import sys
import time
from importlib import import_module
from typing import Any

import httpx2

from labkit.agent import MODEL
from labkit.display.report import visible
from labkit.errors import LabError
from labkit.live.reading import ALLOWED, has_reply, turn_of, words
from labkit.replay.recording import Turn

OPENAI = "https://api.openai.com/v1"
SECONDS = 60.0  # without a byte, as the agent's own time-out
LONGEST_SECONDS = 300.0
LARGEST = 8 << 20
# Local servers take any key, and people give them "ollama", which replies hold too.
SHORTEST_SECRET = 12
NO_MODEL = (
    "No model is configured; set OPENAI_API_KEY, or OPENAI_BASE_URL to a server on "
    "this machine, and OPENAI_MODEL to a model it has."
)
# What a browser needs for a call that waits; Chromium has it.
CANNOT_WAIT = (
    "This browser lets no cell wait for a server (it lacks JSPI); ask a live model in "
    "Chromium or Chrome, or on your own machine: labkit start."
)
TYPE_A_KEY = (
    "No model is configured; here a key is typed and kept nowhere: run `import os, "
    'getpass; os.environ["OPENAI_API_KEY"] = getpass.getpass()` in a cell, then this.'
)
DROPPED: Turn = {"sse": [], "end": "reset"}
HELD_KEY = "the answer held the key, so labkit withheld it"


class Endpoint:
    """Answers a request with a turn, in the form a recording keeps it.

    `model` is asked for in place of the request's own, unless it is "". `replies`
    counts the turns with something of the model's in them, `leaked` says that one held
    the key. Close it after use.
    """

    def __init__(self, url: str, key: str = "", model: str = "") -> None:
        self.url = httpx2.URL(url)
        self.key = key
        self.model = model
        self.requests = self.replies = 0
        self.last: Turn = DROPPED
        self.fault = ""
        self.leaked = False
        headers = {"content-type": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self.http = httpx2.Client(
            headers=headers, timeout=SECONDS, follow_redirects=True
        )

    @property
    def host(self) -> str:
        """The server's name."""
        return self.url.host

    def notes(self) -> list[str]:
        """What belongs above a conversation: who was asked, and what was wrong."""
        asked = f"{visible(self.model or MODEL)} at {self.host} was asked"
        wrong = self.requests and not self.replies
        return [asked, self.trouble()] if wrong else [asked]

    def close(self) -> None:
        """Give the connections back."""
        self.http.close()

    def answer(self, request: dict[str, Any]) -> Turn:
        """The server's turn; one whose connection failed is a dropped one.

        An answer that holds the key is withheld: an error takes its place.
        """
        self.requests += 1
        model = {"model": self.model} if self.model else {}
        url = self.url.copy_with(path=f"{self.url.path.rstrip('/')}/chat/completions")
        body = json.dumps(request | model).encode()
        try:
            with self.http.stream("POST", url, content=body) as response:
                self.last = self._read(response)
        except httpx2.RequestError as error:
            self.fault, self.last = str(error) or type(error).__name__, DROPPED
        self.replies += has_reply(self.last)
        return self.last

    def _read(self, response: httpx2.Response) -> Turn:
        headers = {k: response.headers[k] for k in ALLOWED if k in response.headers}
        data, whole = bytearray(), True
        try:
            for chunk in _limited(response):
                data += chunk
        except httpx2.RequestError:
            if not headers.get("content-type", "").startswith("text/event-stream"):
                raise
            whole = False  # what came of a stream before it broke off is kept
        text = data.decode(response.encoding or "utf-8", "replace")
        status = response.status_code
        if self._is_secret() and self.key in f"{headers} {text}":
            self.leaked = True
            error = {"message": HELD_KEY, "code": "key_withheld"}
            return {"status": max(status, 400), "body": {"error": error}}
        return turn_of(status, headers, text, whole)

    def _is_secret(self) -> bool:
        return len(self.key) >= SHORTEST_SECRET

    def require_reply(self) -> None:
        """Raise LabError with what is wrong if it was asked and no reply ever came."""
        if self.requests and not self.replies:
            raise LabError(self.trouble())

    def trouble(self) -> str:
        """What was wrong with the last answer, in one sentence without its secrets."""
        status, where = self.last.get("status", 200), self.url
        if self.last == DROPPED and in_a_browser():
            return (
                f"{where} does not answer, or lets no web page ask it (CORS); is it "
                "running, and is OPENAI_BASE_URL right?"
            )
        if self.last == DROPPED:
            return (
                f"{where} does not answer ({visible(self.fault)}); is the server "
                "running, and is OPENAI_BASE_URL right?"
            )
        if status in (401, 403):  # what they say of a key may hold half of it
            return f"{where} refuses the key ({status}); is OPENAI_API_KEY right?"
        if isinstance(self.last.get("body"), str):
            return (
                f"{where} answers with a page and no completion (status {status}); "
                "OPENAI_BASE_URL as a rule ends in /v1."
            )
        told = f"{where} answers with status {status}: {words(self.last)}"
        return f"{told}; is OPENAI_MODEL right?" if status in (400, 404, 422) else told


def from_environment() -> Endpoint:
    """The endpoint of OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL, read now.

    Raises LabError where none is configured. A server on this machine needs no key;
    without OPENAI_MODEL the request's own model is asked for.
    """
    if in_a_browser() and not _can_wait():
        raise LabError(CANNOT_WAIT)
    names = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL")
    key, url, model = (os.environ.get(name, "").strip() for name in names)
    if not (key.isascii() and key.isprintable()):
        raise LabError("OPENAI_API_KEY has a character that no key has; copy it anew.")
    if not _is_address(url or OPENAI):
        raise LabError(
            "OPENAI_BASE_URL is no plain address; it looks like "
            "http://localhost:8000/v1, and a key has its place in OPENAI_API_KEY."
        )
    if not key and not _is_here(httpx2.URL(url or OPENAI).host):
        raise LabError(TYPE_A_KEY if in_a_browser() else NO_MODEL)
    return Endpoint(url or OPENAI, key, model)


def in_a_browser() -> bool:
    """Whether this is Pyodide, in the browser edition."""
    return sys.platform == "emscripten"


def _can_wait() -> bool:
    """Whether a cell can wait for a server, which not every browser lets it."""
    return bool(import_module("pyodide.ffi").can_run_sync())


def _is_address(url: str) -> bool:
    """Whether it is an http address, and holds nothing that may not be shown."""
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError):
        return False
    secrets = parsed.userinfo or parsed.query or parsed.fragment
    return parsed.scheme in ("http", "https") and bool(parsed.host) and not secrets


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _limited(response: httpx2.Response) -> Any:
    """The pieces of an answer; ReadTimeout if it is too large or takes too long."""
    size, deadline = 0, time.monotonic() + LONGEST_SECONDS
    for chunk in response.iter_bytes():
        size += len(chunk)
        if size > LARGEST or time.monotonic() > deadline:
            raise httpx2.ReadTimeout("the answer has no end")
        yield chunk
