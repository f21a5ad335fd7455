"""Replay: a recorded conversation behind the real openai client."""

from typing import TYPE_CHECKING

from labkit.lab import recording_file
from labkit.replay.provider import Provider, Runaway
from labkit.replay.recording import Recording, read_recording

if TYPE_CHECKING:
    import openai

__all__ = ["Provider", "Recording", "Runaway", "connect", "read_recording"]


def connect(recording: str, seed: int = 0) -> "openai.OpenAI":
    """A real openai client that replays a recording; no key and no network.

    Raises LabError if there is no recording of that name or it is damaged.
    """
    from labkit.replay.transport import client_for  # openai takes half a second
    from labkit.shop import facts_for

    replayed = read_recording(recording_file(recording), facts_for(seed), seed)
    return client_for(Provider(replayed).answer)
