"""What an operator may want to change, in one place."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How to reach the carrier, and how hard to lean on it."""

    base_url: str = "https://api.carrier.example/v2"
    token: str = ""
    timeout_seconds: float = 12.0
    cache_seconds: float = 300.0
    watch_minutes: int = 10
    max_retries: int = 4  # on top of the first request
    first_pause_seconds: float = 0.5
    longest_pause_seconds: float = 8.0


def from_environment() -> Settings:
    """The defaults, with the address and the token of this installation."""
    return Settings(
        base_url=os.environ.get("PARCELTRACK_URL", Settings.base_url),
        token=os.environ.get("PARCELTRACK_TOKEN", ""),
    )
