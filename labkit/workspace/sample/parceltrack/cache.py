"""Answers that are young enough to be given again."""

import time
from collections.abc import Callable


class Cache:
    """Keeps each value for a number of seconds."""

    def __init__(
        self, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = seconds
        self.clock = clock
        self._entries: dict[str, tuple[float, str]] = {}

    def get(self, key: str) -> str | None:
        """The value, unless it was never put there or is too old."""
        if key not in self._entries:
            return None
        stored_at, value = self._entries[key]
        if self.clock() - stored_at > self.seconds:
            del self._entries[key]
            return None
        return value

    def put(self, key: str, value: str) -> None:
        """Remember the value from now on."""
        self._entries[key] = (self.clock(), value)
