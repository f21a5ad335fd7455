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


def connect(recording: str, seed: int = 0) -> "openai.OpenAI":
    """A real openai client that replays a recording; no key and no network.

    Raises LabError if there is no recording of that name or it is damaged.
    """
    from labkit.replay.transport import client_for  # openai takes half a second

    return client_for(Provider(find_recording(recording, seed)).answer)
