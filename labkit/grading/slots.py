"""Many tasks at a time, in threads; and an end when a person asks for one."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from labkit.grading.grader import Graded
from labkit.grading.plan import Task

LOOK_SECONDS = 0.2  # how often it is looked whether somebody wants an end
PATIENCE = 2.0  # how long what runs may go on then


@dataclass
class Stop:
    """Whether somebody asked for an end."""

    asked: bool = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """While this lasts, Ctrl-C and a polite kill only ask; a second Ctrl-C insists."""
    stop = Stop()

    def ask(number: int, frame: Any) -> None:
        stop.asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            with suppress(AttributeError):  # Windows has no SIGHUP
                number = getattr(signal, name)
                before[number] = signal.signal(number, ask)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class Slots:
    """So many tasks run at a time; `start` is called before each, `work` in a thread.

    After an end was asked for, `left` are the tasks that were given up.
    """

    count: int
    work: Callable[[Task], Graded]
    start: Callable[[Task], object]
    stop: Stop
    running: dict["Future[Graded]", Task] = field(default_factory=dict)
    left: list[Task] = field(default_factory=list)

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Graded]]:
        """Each task with what came of it, as they end."""
        pool = ThreadPoolExecutor(self.count, thread_name_prefix="slot")
        try:
            for task in tasks:
                while len(self.running) >= self.count and not self.stop.asked:
                    yield from self._ended(LOOK_SECONDS)
                if self.stop.asked:
                    break
                self.start(task)
                self.running[pool.submit(self.work, task)] = task
            while self.running and not self.stop.asked:
                yield from self._ended(LOOK_SECONDS)
            if self.running:
                wait(self.running, PATIENCE)
                yield from self._ended(0)
        finally:
            self.left = list(self.running.values())
            pool.shutdown(wait=not self.left, cancel_futures=True)

    def _ended(self, seconds: float) -> Iterator[tuple[Task, Graded]]:
        done, _ = wait(self.running, seconds, FIRST_COMPLETED)
        for future in done:
            yield self.running.pop(future), future.result()
