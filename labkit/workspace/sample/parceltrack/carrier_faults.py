"""What the carrier's error statuses mean for us."""

from parceltrack.settings import Settings

UNREACHABLE = 0  # our own number for "no answer at all"
PASSING = {UNREACHABLE, 429, 502, 503, 504}


class CarrierFault(Exception):
    """The carrier did not give an answer that can be used."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def pause_before_next(
    fault: CarrierFault, failures: int, settings: Settings
) -> float | None:
    """Seconds to wait before asking again, or None to give up.

    `failures` counts the requests that went wrong so far, this one included.
    """
    if fault.status not in PASSING:
        return None
    if failures > settings.max_retries:
        return None
    pause = settings.first_pause_seconds * 2.0 ** (failures - 1)
    return min(pause, settings.longest_pause_seconds)
