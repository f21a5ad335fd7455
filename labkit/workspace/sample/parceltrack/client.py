"""The only module that talks to the carrier."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from parceltrack.cache import Cache
from parceltrack.carrier_faults import UNREACHABLE, CarrierFault, pause_before_next
from parceltrack.settings import Settings


class CarrierClient:
    """Asks for parcels, patiently, and never twice within the cache's time."""

    def __init__(
        self,
        settings: Settings,
        open_url: Callable[..., Any] = urllib.request.urlopen,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        self.open_url = open_url
        self.pause = pause
        self.cache = Cache(settings.cache_seconds)

    def whereabouts(self, parcel: str) -> str:
        """Where the parcel is, in the carrier's words."""
        known = self.cache.get(parcel)
        if known is None:
            known = str(self._fetch(f"parcels/{quote(parcel)}")["place"])
            self.cache.put(parcel, known)
        return known

    def _fetch(self, path: str) -> dict[str, Any]:
        failures = 0
        while True:
            try:
                return self._get(path)
            except CarrierFault as fault:
                failures += 1
                seconds = pause_before_next(fault, failures, self.settings)
                if seconds is None:
                    raise
                self.pause(seconds)

    def _get(self, path: str) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self.settings.base_url}/{path}",
            headers={"Authorization": f"Bearer {self.settings.token}"},
        )
        try:
            reply = self.open_url(request, timeout=self.settings.timeout_seconds)
            return dict(json.load(reply))
        except urllib.error.HTTPError as error:
            raise CarrierFault(error.code, f"the carrier said {error.code}") from error
        except OSError as error:
            raise CarrierFault(UNREACHABLE, "the carrier did not answer") from error
