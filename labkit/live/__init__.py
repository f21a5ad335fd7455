"""A live model: asked in place of a recording, and answering in the same form."""

from labkit.live.endpoint import NO_MODEL, Endpoint, from_environment
from labkit.live.model import LIVE, LiveModel

__all__ = ["LIVE", "NO_MODEL", "Endpoint", "LiveModel", "from_environment"]
