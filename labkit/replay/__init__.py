"""Replay: a recorded conversation behind the real openai client."""

from typing import TYPE_CHECKING

from labkit.lab import recording_file
from labkit.replay.provider import Provider, Runaway
from labkit.replay.recording import Recording, read_recording
from labkit.shop import facts_for

if TYPE_CHECKING:
    import openai

__all__ = [
    "Provider",
    "Recording",
    "Runaway",
    "connect",
    "find_recording",
    "read_recording",
]


def find_recording(name: str, seed: int = 0) -> Recording:
    """The recording of that name, filled with the shop of this seed.

    Raises LabError if there is none of that name or it is damaged.
    """
    return read_recording(recording_file(name), facts_for(seed), seed)


def connect(
    recording: str, seed: int = 0, turn: int = 1, level: str = "openai"
) -> "openai.OpenAI":
    """A real openai client that replays a recording, from a turn on; no key needed.

    `level` is how strict the provider is, see `Provider`. Raises LabError if there is
    no recording of that name or it is damaged.
    """
    from labkit.replay.transport import client_for  # openai takes half a second

    provider = Provider(find_recording(recording, seed), level)
    provider.turn = turn - 1
    return client_for(provider.answer)
