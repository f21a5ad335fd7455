"""The decision alone, without a client and without waiting."""

from parceltrack.carrier_faults import CarrierFault, pause_before_next
from parceltrack.settings import Settings

BUSY = CarrierFault(503, "busy")
UNKNOWN = CarrierFault(404, "no such parcel")


def test_a_busy_carrier_is_given_time() -> None:
    settings = Settings(first_pause_seconds=1.0, longest_pause_seconds=3.0)
    pauses = [pause_before_next(BUSY, failures, settings) for failures in (1, 2, 3)]
    assert pauses == [1.0, 2.0, 3.0]


def test_the_limit_comes_from_the_settings() -> None:
    settings = Settings(max_retries=1)
    assert pause_before_next(BUSY, 1, settings) is not None
    assert pause_before_next(BUSY, 2, settings) is None


def test_an_unknown_parcel_is_not_asked_for_twice() -> None:
    assert pause_before_next(UNKNOWN, 1, Settings()) is None
