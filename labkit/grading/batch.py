"""A batch: every file that was handed in ends in one line of results per lesson.

Whatever happens is in the journal first. The same command again goes on where the
batch was ended, by whatever it was.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from labkit.checking.check import Checker
from labkit.errors import LabError
from labkit.grading import stored
from labkit.grading.count import Count, counted
from labkit.grading.flaky import first_event, second_run
from labkit.grading.grader import Graded, Grader
from labkit.grading.journal import Journal, write_results
from labkit.grading.plan import Plan, Task, outdated, plan
from labkit.grading.record import (
    graded_as,
    now,
    record_of,
    ungraded,
)
from labkit.grading.slots import Slots, Stop, stoppable

if TYPE_CHECKING:
    from labkit.grading.grounds import Grounds
    from labkit.grading.handed_in import HandedIn

ASIDE = (
    "it ended the grader twice, by its memory perhaps, and was set aside; grade it by "
    "itself into another folder, or read it"
)
Ended = Iterator[tuple[Task, Graded]]
Show = Callable[[dict[str, Any]], object]


@dataclass
class Batch:
    """Grades what a plan lists and writes it to the journal; `show` sees each result.

    `crowd`, if given, carries the tasks out that need not run alone.
    """

    journal: Journal
    checkers: dict[str, Checker]
    seed: int
    grounds: "Grounds"
    slots: int
    show: Show = lambda record: None
    crowd: Callable[[Iterable[Task], Stop], Ended] | None = None
    fresh: int = 0
    alone: deque[Task] = field(default_factory=deque)

    def run(self, made: Plan, stop: Stop) -> None:
        """Carry the plan out; LabError if it was ended before."""
        self._without_running(made)
        self.alone.extend(made.alone)
        crowd = self.crowd or self._in_slots
        for task, graded in crowd(made.crowd, stop):
            self._take(task, graded)
        while self.alone and not stop.asked:  # one may be put down for a second run
            for task, graded in self._in_slots(self._each_alone(), stop, slots=1):
                self._take(task, graded)
        if stop.asked:
            raise LabError(
                f"stopped by you; {self.fresh} new results are kept in "
                f"{self.journal.folder}, and the same command goes on from there."
            )

    def _without_running(self, made: Plan) -> None:
        for task in made.faulty:
            status = "missing" if task.first.missing else "not_gradable"
            self._write(task, self.ungraded(task, status, task.first.fault))
        for task in made.aside:
            self.journal.append({"event": "fatal", "key": task.key})
            self._write(task, self.ungraded(task, "internal", ASIDE))
        for task in made.copies:
            record = self.journal.record(self.journal.by_key[task.key])
            self._append(task, record)

    def _in_slots(
        self, tasks: Iterable[Task], stop: Stop, slots: int | None = None
    ) -> Ended:
        grader = Grader(self.grounds, self.checkers, self.seed)
        work = Slots(slots or self.slots, grading_with(grader), self.started, stop)
        yield from work.run(tasks)
        if work.left:
            self.grounds.close()
            given_up = [{"event": "left", "key": task.key} for task in work.left]
            self.journal.append(*given_up)

    def _each_alone(self) -> Iterator[Task]:
        while self.alone:
            yield self.alone.popleft()

    def started(self, task: Task, here: bool = True) -> None:
        """Say that a task begins; `here` is false where another machine runs it."""
        names = {"submission": task.first.submission, "lesson": task.lesson}
        about = {"attempt": task.attempt, "here": here, "at": now()}
        self.journal.append({"event": "start", "key": task.key, **names, **about})

    def _take(self, task: Task, graded: Graded) -> None:
        """Write what came of a run, or put the task down for a second one."""
        if graded.uncertain and task.first_run is None:
            self._store(task, graded)
            self.journal.append(first_event(task, graded))
            task.first_run = self.journal.firsts[task.key]
            task.attempt += 1
            self.alone.append(task)
        elif task.first_run is None:
            self._store(task, graded)
            self._write(task, graded)
        else:
            first = self.journal.event(task.first_run)["run"]
            counted, flaky = second_run(first, graded)
            if counted is graded:
                self._store(task, graded)
            self._write(task, counted, flaky)

    def _store(self, task: Task, graded: Graded) -> None:
        if graded.evidence:
            names = (task.first.sha256, task.lesson, self.seed)
            path = stored.evidence_file(self.journal.folder, *names)
            stored.write_evidence(path, graded.evidence)

    def _write(self, task: Task, graded: Graded, flaky: bool = False) -> None:
        grading = {
            "tier": graded.tier,
            "attempt": task.attempt,
            "flaky": flaky,
            "same_as": None,
            "seed": self.seed,
            "started": graded.started,
            "ended": graded.ended,
        }
        self._append(task, record_of(graded.report, task.first, grading))

    def _append(self, task: Task, record: dict[str, Any]) -> None:
        """Write a result for all who handed the same in; then it may be shown."""
        records = [graded_as(record, one) for one in task.handed_in]
        self.journal.append(
            *({"event": "result", "key": task.key, "record": r} for r in records)
        )
        self.fresh += len(records)
        for one in records:
            self.show(one)

    def ungraded(self, task: Task, status: str, why: str) -> Graded:
        """What is written of a task that was not run."""
        report = ungraded(self.checkers[task.lesson], status, why, self.seed)
        return Graded(report.to_json(), self.grounds.tier, now(), now())


def grading_with(grader: Grader) -> Callable[[Task], Graded]:
    """What a slot does with a task."""

    def work(task: Task) -> Graded:
        one = task.first
        return grader.grade(one.path, one.sha256, one.read, task.lesson)

    return work


def grade_all(
    handed_in: "Iterable[HandedIn]",
    journal: Journal,
    checkers: dict[str, Checker],
    seed: int,
    grounds: "Grounds",
    slots: int,
    begun: Callable[[Plan], Show] = lambda made: lambda record: None,
    crowd: Callable[[Batch], Callable[[Iterable[Task], Stop], Ended]] | None = None,
) -> Count:
    """Grade what is not graded yet, and count all that the folder holds then.

    `begun` is told the plan and gives what shows each result.
    """
    started = time.monotonic()
    made = plan(handed_in, list(checkers), seed, journal)
    gone = outdated(made, list(checkers), journal)
    journal.append(*({"event": "gone", "submission": s, "lesson": n} for s, n in gone))
    batch = Batch(journal, checkers, seed, grounds, slots, begun(made))
    if crowd:
        batch.crowd = crowd(batch)
    try:
        with stoppable() as stop:
            batch.run(made, stop)
    finally:
        write_results(journal)
    count = counted(journal)
    count.fresh, count.seconds = batch.fresh, time.monotonic() - started
    return count


def default_slots(tier: str) -> int:
    """How many run at a time: many only wait, but without a jail each is a start."""
    cores = os.cpu_count() or 1
    return cores if tier == "weak" else min(16, 4 * cores)
