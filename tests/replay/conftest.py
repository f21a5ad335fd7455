"""Recordings written for one test, and clients that are closed after it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from labkit.replay.recording import Recording, Turn, read_recording
from labkit.replay.transport import client_for

HEADER = {"format": 1, "title": "A test", "origin": "invented", "question": "Well?"}

Recorded = Callable[..., Recording]
ClientFor = Callable[[Callable[[dict[str, Any]], Turn]], openai.OpenAI]


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write a recording of these lines; what is no text is written as JSON."""

    def write(*lines: Any) -> Path:
        texts = [ln if isinstance(ln, str) else json.dumps(ln) for ln in lines]
        path = tmp_path / "small_talk.jsonl"
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return path

    return write


@pytest.fixture
def recorded(file: Callable[..., Path]) -> Recorded:
    """A recording of these turns, read back from its file."""

    def read(*turns: Any, **how: Any) -> Recording:
        return read_recording(file(HEADER, *turns), **how)

    return read


@pytest.fixture
def client() -> Iterator[ClientFor]:
    """Make real openai clients, and close them with the test."""
    made = []

    def connect(answer: Callable[[dict[str, Any]], Turn]) -> openai.OpenAI:
        made.append(client_for(answer))
        return made[-1]

    yield connect
    for each in made:
        each.close()


def ask(client: openai.OpenAI, text: str = "Well?") -> Any:
    """The client's completion for one question."""
    return client.chat.completions.create(
        model="replayed", messages=[{"role": "user", "content": text}]
    )
