"""What is left to do in a batch: files with the same content are graded once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from labkit.grading.journal import Journal

if TYPE_CHECKING:
    from labkit.grading.handed_in import HandedIn

FATAL = 2  # so often it may end the grader before it is set aside


@dataclass(slots=True)
class Task:
    """One content in one lesson, and everybody who handed it in."""

    key: str
    lesson: str
    handed_in: "list[HandedIn]"
    attempt: int = 1
    first_run: int | None = None  # where an uncertain one stands in the journal

    @property
    def first(self) -> "HandedIn":
        """Whose copy is run."""
        return self.handed_in[0]


@dataclass
class Plan:
    """What a batch has to do, by how it is done.

    `crowd` runs in all slots; `alone` by itself, for it was running when the grader was
    ended, or its first run was uncertain; `aside` has ended the grader twice and runs
    no more; `copies` have a result on file already; `faulty` cannot be run. `done` is
    every result that stands, `given` every submission and lesson there is.
    """

    crowd: list[Task] = field(default_factory=list)
    alone: list[Task] = field(default_factory=list)
    aside: list[Task] = field(default_factory=list)
    copies: list[Task] = field(default_factory=list)
    faulty: list[Task] = field(default_factory=list)
    done: int = 0
    given: set[tuple[str, str]] = field(default_factory=set)
    students: set[str] = field(default_factory=set)

    @property
    def total(self) -> int:
        """How many results there are to write."""
        return len(self.given) - self.done


def plan(
    handed_in: "Iterable[HandedIn]", lessons: list[str], seed: int, journal: Journal
) -> Plan:
    """What is to be done for these files, given what the journal holds."""
    made = Plan()
    tasks: dict[str, Task] = {}
    for one in handed_in:
        made.students.add(one.student)
        for lesson in one.lessons(lessons):
            made.given.add((one.submission, lesson))
            key = key_of(one, lesson, seed)
            if _stands(journal, one, lesson, key):
                made.done += 1
            elif key in tasks:
                tasks[key].handed_in.append(one)
            else:
                tasks[key] = Task(key, lesson, [one])
                _list_for(made, tasks[key], journal).append(tasks[key])
    return made


def key_of(one: "HandedIn", lesson: str, seed: int) -> str:
    """What makes two results the same; the file's ending says how it is read."""
    if one.fault or one.missing:
        return f"fault-{one.submission}-{lesson}-{seed}"
    return f"{one.sha256}-{lesson}-{seed}{PurePath(one.path).suffix.lower()}"


def _stands(journal: Journal, one: "HandedIn", lesson: str, key: str) -> bool:
    """Whether this very file has a result; the lab's own fault is tried again."""
    entry = journal.results.get((one.submission, lesson))
    if entry is None or entry.key != key:
        return False
    return entry.status != "internal" or journal.strikes[key] >= FATAL


def _list_for(made: Plan, task: Task, journal: Journal) -> list[Task]:
    strikes = journal.strikes[task.key]
    task.attempt += strikes
    if task.first.fault or task.first.missing:
        return made.faulty
    if task.key in journal.by_key:
        return made.copies
    if strikes >= FATAL:
        return made.aside
    if task.key in journal.firsts:
        task.first_run = journal.firsts[task.key]
        return made.alone
    return made.alone if strikes else made.crowd


def outdated(made: Plan, lessons: list[str], journal: Journal) -> list[tuple[str, str]]:
    """The results of these students that their files of today leave no place for.

    Those of students who handed in nothing this time stay.
    """
    submissions = {submission for submission, _ in made.given}
    return [
        (submission, lesson)
        for (submission, lesson), entry in journal.results.items()
        if entry.student in made.students
        and (submission, lesson) not in made.given
        and (lesson in lessons or submission not in submissions)
    ]
