"""The crowd of a batch on a dask cluster; one journal, so each result counts once.

Whoever reaches a dask scheduler runs code on its workers. So it is TLS or this machine,
and nothing else.
"""

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from labkit.checking.check import load_checker
from labkit.errors import LabError
from labkit.grading.grader import Graded, Grader
from labkit.grading.plan import Task
from labkit.grading.slots import LOOK_SECONDS, Stop

if TYPE_CHECKING:
    from distributed import Client, Future

    from labkit.grading.batch import Batch, Ended
    from labkit.grading.grounds import Grounds

LARGEST_CHUNK = 50
WAIT_SECONDS = 10
FATAL = "it ended the workers of the cluster again and again, and was set aside"
# What a worker is sent of a file: path, sha256, content and lesson.
Item = tuple[str, str, bytes, str]


@dataclass(frozen=True)
class How:
    """How workers grade; plain data, for it travels."""

    digests: dict[str, str]
    seed: int
    slots: int
    allow_weak: bool


def crowd_of(
    address: str, allow_weak: bool
) -> "Callable[[Batch], Callable[[Iterable[Task], Stop], Ended]]":
    """What carries a batch's crowd out on the cluster at an address."""
    client = connect(address)

    def crowd(batch: "Batch") -> "Callable[[Iterable[Task], Stop], Ended]":
        assert batch.journal.batch is not None
        digests = batch.journal.batch["lessons"]
        how = How(digests, batch.seed, batch.slots, allow_weak)
        return _Crowd(client, batch, how).run

    return crowd


def connect(address: str) -> "Client":
    """A client of the scheduler there; LabError if others might reach it too."""
    try:
        from distributed import Client, Security
    except ImportError:
        raise LabError('--cluster needs dask: pip install "labkit[cluster]".') from None
    _refuse_open(address)
    if (
        address.startswith("tls://")
        and not Security().get_tls_config_for_role("client")["cert"]
    ):
        raise LabError(
            f"--cluster {address}: no certificate; name ca-file, client cert and key "
            "in dask's settings, distributed.comm.tls."
        )
    try:
        client = Client(address, timeout=WAIT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise LabError(
            f"--cluster {address}: no scheduler answers ({why}); start it, or check "
            "the address and the certificates."
        ) from None
    try:
        _wait_for_one(client, address)
        info = client.scheduler_info()
        for each in (info["address"], *info["workers"]):
            _refuse_open(each)
    except LabError:
        client.close()
        raise
    return client


def _wait_for_one(client: "Client", address: str) -> None:
    """A worker may just be starting, as each does again that lost its process."""
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
    except TimeoutError:
        raise LabError(
            f"--cluster {address}: it has no workers; start one first."
        ) from None


def _refuse_open(address: str) -> None:
    """LabError unless only this machine, or who has a certificate, can get there."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    host = parts.hostname or ""
    here = host in ("localhost", "::1") or host.startswith("127.")
    if not here and parts.scheme != "tls":
        raise LabError(
            f"--cluster: anybody who reaches {address} can run code there; start the "
            "scheduler and its workers with TLS (tls://…) or on 127.0.0.1."
        )


@dataclass
class _Crowd:
    """Chunks of tasks under way on a cluster."""

    client: "Client"
    batch: "Batch"
    how: How
    running: "dict[Future[list[Graded]], list[Task]]" = field(default_factory=dict)
    ended: "queue.SimpleQueue[Future[list[Graded]]]" = field(
        default_factory=queue.SimpleQueue
    )

    def run(self, tasks: Iterable[Task], stop: Stop) -> Iterator[tuple[Task, Graded]]:
        """Each task with what came of it, as the chunks end."""
        waiting = list(tasks)
        info = self.client.scheduler_info()
        workers = max(1, len(info["workers"]))  # they may all be starting again
        size = max(1, min(LARGEST_CHUNK, len(waiting) // (4 * workers)))
        try:
            for begin in range(0, len(waiting), size):
                while len(self.running) >= 2 * workers and not stop.asked:
                    yield from self._ended()
                if stop.asked:
                    break
                yield from self._send(waiting[begin : begin + size])
            while self.running and not stop.asked:
                yield from self._ended()
            self._give_up()
        finally:
            self.client.close()

    def _send(self, chunk: list[Task]) -> Iterator[tuple[Task, Graded]]:
        """Send a chunk's files to a worker; what cannot be read is no worker's task."""
        sent: list[tuple[Task, Item]] = []
        for task in chunk:
            one = task.first
            try:
                data = one.read()
            except (LabError, OSError) as error:
                yield task, self.batch.ungraded(task, "internal", str(error))
                continue
            self.batch.started(task, here=False)
            sent.append((task, (one.path, one.sha256, data, task.lesson)))
        if sent:
            items = [item for _, item in sent]
            future = self.client.submit(grade_chunk, self.how, items, pure=False)
            self.running[future] = [task for task, _ in sent]
            future.add_done_callback(self.ended.put)

    def _ended(self) -> Iterator[tuple[Task, Graded]]:
        try:
            future = self.ended.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            return
        yield from self._taken(future, self.running.pop(future))

    def _taken(self, future: Any, chunk: list[Task]) -> Iterator[tuple[Task, Graded]]:
        """A chunk's results; one that killed its workers is tried again one by one."""
        from distributed import KilledWorker

        try:
            yield from zip(chunk, future.result(), strict=True)
        except KilledWorker:
            if len(chunk) > 1:
                for task in chunk:
                    yield from self._send([task])
                return
            [task] = chunk
            self.batch.journal.append({"event": "fatal", "key": task.key})
            yield task, self.batch.ungraded(task, "internal", FATAL)

    def _give_up(self) -> None:
        """Take back what still runs, after a person asked for an end."""
        self.client.cancel(list(self.running))
        keys = [task.key for chunk in self.running.values() for task in chunk]
        self.batch.journal.append(*({"event": "left", "key": key} for key in keys))


def grade_chunk(how: How, items: list[Item]) -> list[Graded]:
    """On a worker: grade some files, several at a time, as any batch does."""
    grader = _grader(tuple(sorted(how.digests.items())), how.seed, how.allow_weak)

    def grade(item: Item) -> Graded:
        path, sha256, data, lesson = item
        return grader.grade(path, sha256, lambda: data, lesson)

    with ThreadPoolExecutor(how.slots) as pool:
        return list(pool.map(grade, items))


@lru_cache(maxsize=1)
def _grader(
    digests: tuple[tuple[str, str], ...], seed: int, allow_weak: bool
) -> Grader:
    """This worker's grader; LabError if it has not the same lab, or not as strict."""
    from labkit.grading.setup import digests as digests_of

    checkers = {lesson: load_checker(lesson) for lesson, _ in digests}
    if digests_of(checkers) != dict(digests):
        raise LabError(
            "A worker of the cluster has other checkers or recordings than this "
            "machine; install the same labkit on all of them."
        )
    return Grader(_grounds(allow_weak), checkers, seed)


@lru_cache(maxsize=1)
def _grounds(allow_weak: bool) -> "Grounds":
    from labkit.grading.grounds import open_grounds

    return open_grounds(allow_weak)
