"""A server on loopback for one test, and the environment that leads to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import openai
import pytest

from labkit.replay.recording import Recording, Turn
from labkit.replay.server import Server
from labkit.replay.serving import Conversation
from labkit.replayed_run import named_recording

KEY = "sk-test-0123456789abcdef"


@contextmanager
def serving(answer: Callable[[dict[str, Any]], Turn], **how: Any) -> Iterator[Server]:
    """Serve what `answer` gives for each request, until the end of the block."""
    with Server(answer, **how) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving_recording(name: str | Recording, **how: Any) -> Iterator[Server]:
    """Serve a recording, conversation by conversation."""
    found = named_recording(name) if isinstance(name, str) else name
    with serving(Conversation(lambda question: found, **how).answer) as server:
        yield server


@contextmanager
def client_of(server: Server) -> Iterator[openai.OpenAI]:
    """An openai client like anybody's."""
    with openai.OpenAI(
        api_key=KEY, base_url=server.address, max_retries=0, timeout=30
    ) as client:
        yield client


def lead_to(
    patch: pytest.MonkeyPatch, url: str = "", key: str = "", model: str = ""
) -> None:
    """Set the three variables, and let no proxy stand between."""
    given = {"OPENAI_API_KEY": key, "OPENAI_BASE_URL": url, "OPENAI_MODEL": model}
    for name, value in given.items():
        patch.setenv(name, value)
    patch.setenv("NO_PROXY", "127.0.0.1")


def agent_file(folder: Path, body: str = "    pass") -> Path:
    """A file with a MyAgent of this body."""
    path = folder / "agent.py"
    path.write_text(f"from labkit import Agent\n\nclass MyAgent(Agent):\n{body}\n")
    return path
