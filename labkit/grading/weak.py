"""The weakest grounds: a fresh process for each submission, without a jail."""

from threading import Lock

from labkit.checking.channel import Channel, Closed
from labkit.checking.place import Place
from labkit.checking.process import Spawned
from labkit.checking.submission import Submission


class WeakGrounds:
    """Limits on time and memory, none of the environment, and no more protection.

    What macOS and Windows have. It may be used from several threads at once; what
    still runs when it is closed is ended.
    """

    tier = "weak"

    def __init__(self) -> None:
        self.open: set[_Kept] = set()
        self.closed = False
        self.lock = Lock()

    def place(self, submission: Submission, parts: list[str]) -> Place:
        """A place of its own for one submission."""
        return _Kept(self, submission, parts)

    def close(self) -> None:
        """End whatever still runs; nothing is started from here on."""
        self.closed = True
        with self.lock:
            left = list(self.open)
        for place in left:
            place.kill()


class _Kept(Spawned):
    """A spawned process that its grounds can end."""

    def __init__(
        self, grounds: WeakGrounds, submission: Submission, parts: list[str]
    ) -> None:
        super().__init__(submission, parts, shortcut=True)
        self.grounds = grounds
        with grounds.lock:
            grounds.open.add(self)

    def start(self) -> Channel:
        if self.grounds.closed:
            raise Closed("the grounds are closed")
        return super().start()

    def close(self) -> None:
        super().close()
        with self.grounds.lock:
            self.grounds.open.discard(self)
