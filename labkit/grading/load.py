"""Whether a busy machine, not the code itself, may be why it ran out of time."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from labkit.checking.place import Place
from labkit.checking.process import Child

HARMLESS = 0.1  # of the time a scenario has; so long it may have waited its turn


class Watch:
    """Looks at a process the moment it has run out of time; later it is gone.

    `may_be_load` says whether a run by itself may end otherwise. It cannot where the
    processor's time ran out, nor where the process hardly ever waited for its turn.
    """

    def __init__(self, place: Place) -> None:
        self.may_be_load = not isinstance(place, Child)
        if isinstance(place, Child):
            self.place = place
            self.reason = place.reason
            place.reason = self._reason  # type: ignore[method-assign]

    def _reason(self, error: Exception) -> tuple[str, str]:
        if isinstance(error, TimeoutError):
            self.may_be_load = self.may_be_load or self._was_kept_waiting()
        return self.reason(error)

    def _was_kept_waiting(self) -> bool:
        place: Any = self.place
        session = getattr(place, "session", None)
        if session is None:
            seconds = waited(place.pid)
        elif place.cpu_end is not None and session.cpu_seconds() > place.cpu_end:
            return False
        else:
            seconds = waited(session.pid)
        return seconds is None or seconds > HARMLESS * place.caps.seconds


def waited(pid: int) -> float | None:
    """How long a process stood in the queue for a processor; None if nobody tells."""
    found = None
    with suppress(OSError, ValueError, IndexError):
        for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            found = (found or 0.0) + int(file.read_text().split()[1]) / 1e9
    return found
