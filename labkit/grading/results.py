"""A graded batch as it lies on disk: its results, and the evidence behind them."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from labkit.checking.check import Checker, load_checker
from labkit.checking.report import LAB_FAULTS, CheckResult, Report
from labkit.errors import LabError
from labkit.grading.stored import evidence_file, read_evidence
from labkit.lab import lessons
from labkit.redaction import without_keys

Line = dict[str, Any]
CHECK_FIELDS = ("id", "part", "claim", "outcome", "max_points", "seen", "expected")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of results: where it begins in the file, and what picks it out.

    `unjudged` are points that the lab failed to judge; `possible` is without them.
    """

    begin: int
    submission: str
    student: str
    lesson: str
    status: str
    started: str
    earned: float
    possible: float
    unjudged: float

    @property
    def set_aside(self) -> bool:
        """Whether the lab failed on all of it, so that it has no score at all."""
        return self.status in LAB_FAULTS

    @property
    def settled(self) -> bool:
        """Whether nothing of it is left for the lab to mend."""
        return not (self.set_aside or self.unjudged)


class Results:
    """The results in a folder. Lines are read when asked for, so memory stays flat."""

    def __init__(self, out: Path) -> None:
        """Read where each line begins; LabError if there are none, or a damaged one."""
        self.out = out
        self.file = out / "results.jsonl"
        if not self.file.is_file():
            raise LabError(f"{out}: no results.jsonl in it; give the --out of a grade.")
        found = {(e.submission, e.lesson): e for e in self._entries()}
        self.entries = list(found.values())

    @cached_property
    def students(self) -> dict[str, list[Entry]]:
        """The lines of each student, by lesson; the students in their order."""
        found: dict[str, list[Entry]] = {}
        for entry in sorted(self.entries, key=lambda e: (e.student, e.lesson)):
            found.setdefault(entry.student, []).append(entry)
        return found

    @cached_property
    def submissions(self) -> dict[str, list[Entry]]:
        """The lines of each submission, by lesson."""
        found: dict[str, list[Entry]] = {}
        for entry in sorted(self.entries, key=lambda e: (e.submission, e.lesson)):
            found.setdefault(entry.submission, []).append(entry)
        return found

    @cached_property
    def lessons(self) -> list[str]:
        """The lessons that were graded, in their order."""
        return sorted({entry.lesson for entry in self.entries})

    @cached_property
    def points(self) -> dict[str, float]:
        """How many points there are in each lesson: the most that one line has."""
        most = dict.fromkeys(self.lessons, 0.0)
        for entry in self.entries:
            whole = entry.possible + entry.unjudged
            most[entry.lesson] = max(most[entry.lesson], whole)
        return most

    @cached_property
    def checkers(self) -> dict[str, Checker]:
        """The checkers of the lessons, as far as this lab has them."""
        known = set(lessons())
        return {name: load_checker(name) for name in self.lessons if name in known}

    @cached_property
    def file_names(self) -> dict[str, str]:
        """A file name for each student, without an ending and never twice the same."""
        from labkit.grading.handed_in import safe_name

        names: dict[str, str] = {}
        taken: set[str] = set()
        for student in self.students:
            name = wanted = safe_name(student)
            number = 1
            while name.casefold() in taken:  # some file systems know no capitals
                number += 1
                name = f"{wanted}-{number}"
            taken.add(name.casefold())
            names[student] = name
        return names

    def read(self, entries: Iterable[Entry]) -> Iterator[Line]:
        """The lines of some entries, what looks like a key taken out of them."""
        with self.file.open("rb") as file:
            for entry in entries:
                file.seek(entry.begin)
                yield without_keys(json.loads(file.readline()))

    def kept(self, line: Line, what: str) -> list[dict[str, Any]]:
        """What is kept behind a line: `what` is "scenarios", or "cells", the code.

        [] where nothing is kept. It is as it lies on disk: before any of it is shown,
        keys are to be taken out.
        """
        sha256 = line["grading"]["sha256"]
        file = evidence_file(self.out, sha256, line["lesson"], line["seed"])
        kept = read_evidence(file)
        return list(kept.get(what) or []) if kept else []

    def _entries(self) -> Iterator[Entry]:
        begin = 0
        with self.file.open("rb") as file:
            for number, text in enumerate(file, 1):
                if not text.endswith(b"\n"):
                    return  # a batch is at work; its last line is not all there
                try:
                    yield _entry(begin, json.loads(text))
                except (ValueError, KeyError, TypeError, AttributeError):
                    raise LabError(
                        f"{self.file}, line {number}: not a result; run the same "
                        "labkit grade again."
                    ) from None
                begin += len(text)


def chosen(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Of one student's lines the one that counts in each lesson: the best."""
    best: dict[str, Entry] = {}
    for entry in entries:
        other = best.get(entry.lesson)
        if other is None or _rank(entry) > _rank(other):
            best[entry.lesson] = entry
    return best


def _rank(entry: Entry) -> tuple[float, bool, bool]:
    return entry.earned, entry.settled, entry.status == "graded"


def report_of(line: Line) -> Report:
    """The report that a line of results was written from."""
    checks = [
        CheckResult(
            **{name: check[name] for name in CHECK_FIELDS},
            try_=check["try"],
            after=check["after"],
            seconds=check["seconds"],
        )
        for check in line["checks"]
    ]
    names = ("lesson", "submission", "seed", "status", "seconds", "notes")
    return Report(**{name: line[name] for name in names}, checks=checks)


def _entry(begin: int, line: Line) -> Entry:
    faulty = [check for check in line["checks"] if check["outcome"] in LAB_FAULTS]
    return Entry(
        begin,
        line["submission"],
        line["grading"]["student"] or line["submission"],
        sys.intern(line["lesson"]),
        sys.intern(line["status"]),
        line["grading"]["started"],
        line["score"],
        line["max_score"],
        sum(check["max_points"] for check in faulty),
    )
