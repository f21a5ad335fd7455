"""An agent's file: loaded in a process of its own, or refused in one sentence."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from labkit.checking.ending import STOPPED
from labkit.checking.place import Arrival, Caps, Place
from labkit.checking.process import Spawned
from labkit.checking.submission import read_submission
from labkit.display.report import one_line
from labkit.errors import LabError


@contextmanager
def agent_in(file: Path, caps: Caps | None = None) -> Iterator[Place]:
    """A place in which the `MyAgent` of a .py or .ipynb file acts, for many requests.

    What lies beside the file can be imported. Raises LabError if it holds no agent
    that can be loaded.
    """
    place = Spawned(
        read_submission(file),
        [],
        caps,
        asked=["MyAgent"],
        beside=file.parent,
        shortcut=True,
    )
    with closing(place):
        _require_agent(file, place.arrive())
        yield place


def _require_agent(file: Path, arrival: Arrival) -> None:
    if arrival.stopped:
        raise LabError(f"{file}: {STOPPED[arrival.stopped]} (while loading).")
    if arrival.missing:
        fault = arrival.fault
        if fault:
            where = f"{fault['line']}: " if fault["line"] else ""
            what = one_line(f"{fault['type']}: {fault['message']}")
            raise LabError(f"{file}: {where}{what}")
        close = f" (it has {name})" if (name := arrival.missing["MyAgent"]) else ""
        raise LabError(f"{file}: there is no MyAgent in it{close}; name your class so.")
