"""What a class did, counted: scores, failures, times, and what is alike."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median
from typing import Any

from labkit.checking.report import LAB_FAULTS
from labkit.errors import LabError
from labkit.grading.own_code import lesson_code
from labkit.grading.results import Entry, Line, Results, chosen
from labkit.grading.similar import Answer, similar
from labkit.redaction import without_keys
from labkit.whole_file import write_whole

MOST_LISTED = 5
# What says nothing about whether a claim holds.
UNJUDGED = ("skipped", "not_started", *LAB_FAULTS)


def write_report(out: Path) -> tuple[dict[str, Any], list[str]]:
    """Write a graded folder's `report.json` and `report.html`.

    What comes back is the report, and what was written, as lines.
    """
    from labkit.display.class_report import as_page

    report = class_report(Results(out))
    pages = {
        "report.json": f"{json.dumps(report, indent=1)}\n",
        "report.html": as_page(report),
    }
    for name, text in pages.items():
        write_whole(out / name, text)
    return report, [f"wrote {out / name}" for name in pages]


def class_report(results: Results) -> dict[str, Any]:
    """The report on a class as JSON, schema 1; a student's best line counts."""
    best = {name: chosen(entries) for name, entries in results.students.items()}
    return {
        "schema": 1,
        "lab_version": version("labkit"),
        "students": len(results.students),
        "submissions": len(results.submissions),
        "unsettled": [
            {"submission": entry.submission, "lesson": entry.lesson}
            for entry in results.entries
            if not entry.settled
        ],
        "lessons": [
            _lesson(results, lesson, [e[lesson] for e in best.values() if lesson in e])
            for lesson in results.lessons
        ],
    }


def _lesson(results: Results, lesson: str, entries: list[Entry]) -> dict[str, Any]:
    tally = Tally()
    for entry, line in zip(entries, results.read(entries)):
        tally.add(entry, line, results.file_names[entry.student])
    scores = sorted(tally.scores.elements())
    return {
        "lesson": lesson,
        "points": results.points[lesson],
        "statuses": dict(tally.statuses),
        "flaky": tally.flaky,
        "tiers": dict(tally.tiers),
        "mean": round(mean(scores), 2) if scores else None,
        "median": median(scores) if scores else None,
        "all_points": tally.all_points,
        "scores": sorted(tally.scores.items()),
        "checks": [check.to_json() for check in tally.checks.values()],
        "most_failed": tally.most_failed(),
        "first_failures": tally.first_failures(),
        "similar": _similar(results, lesson),
    }


@dataclass
class CheckTally:
    """One check over a class: how often each outcome, and how long it took."""

    id: str
    part: str
    claim: str
    points: float
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """How often the claim was judged and did not hold."""
        counts = self.outcomes.items()
        return sum(n for o, n in counts if o not in ("passed", *UNJUDGED))

    def to_json(self) -> dict[str, Any]:
        """As JSON; the seconds as median and longest."""
        about = {"id": self.id, "part": self.part, "claim": self.claim}
        seconds = {"median": median(self.seconds), "longest": max(self.seconds)}
        counts = {"outcomes": dict(self.outcomes), "failed": self.failed}
        return about | {"points": self.points, **counts, "seconds": seconds}


@dataclass
class Tally:
    """One lesson over a class, line by line."""

    statuses: Counter[str] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    scores: Counter[float] = field(default_factory=Counter)
    all_points: int = 0
    flaky: int = 0
    checks: dict[str, CheckTally] = field(default_factory=dict)
    firsts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    def add(self, entry: Entry, line: Line, page: str) -> None:
        """Count one student's line; a missing one has no score to count."""
        self.statuses[entry.status] += 1
        self.tiers[str(line["grading"]["tier"])] += 1
        self.flaky += bool(line["grading"]["flaky"])
        if entry.status in ("graded", "not_gradable"):
            self.scores[entry.earned] += 1
            self.all_points += entry.settled and entry.earned == entry.possible > 0
        if entry.status == "graded":
            self._add_checks(line)
            self._add_first_failure(entry, line, page)

    def _add_checks(self, line: Line) -> None:
        for check in line["checks"]:
            about = (check["id"], check["part"], check["claim"], check["max_points"])
            kept = self.checks.setdefault(check["id"], CheckTally(*about))
            kept.outcomes[check["outcome"]] += 1
            kept.seconds.append(check["seconds"])

    def _add_first_failure(self, entry: Entry, line: Line, page: str) -> None:
        settled = ("passed", *LAB_FAULTS)
        first = next((c for c in line["checks"] if c["outcome"] not in settled), None)
        if first:
            key = (first["id"], first["outcome"], shape(first["seen"]))
            self.firsts[key] += 1
            example = {"student": entry.student, "page": f"pages/{page}.html"}
            told = {name: first[name] for name in ("claim", "seen", "expected", "try")}
            self.examples.setdefault(key, example | told)

    def most_failed(self) -> str | None:
        """The check that most students failed, or None if nobody failed any."""
        most = max(self.checks.values(), key=lambda check: check.failed, default=None)
        return most.id if most and most.failed else None

    def first_failures(self) -> list[dict[str, Any]]:
        """The commonest first failures, each with an example."""
        return [
            {"check": key[0], "outcome": key[1], "students": count}
            | {"example": self.examples[key]}
            for key, count in self.firsts.most_common(MOST_LISTED)
        ]


def shape(seen: str) -> str:
    """What was seen without figures and quoted words, which differ for each student."""
    return re.sub(r"\d+", "0", re.sub(r"'[^']*'|\"[^\"]*\"", "''", seen))


def _similar(results: Results, lesson: str) -> dict[str, Any] | None:
    """What is alike in a lesson, or None where no code is kept to tell it by."""
    try:
        code = lesson_code(lesson)
    except (LabError, OSError):
        return None
    found = similar(code, _answers(results, lesson))
    return asdict(found) if found.compared else None


def _answers(results: Results, lesson: str) -> Iterator[Answer]:
    entries = [entry for entry in results.entries if entry.lesson == lesson]
    for entry, line in zip(entries, results.read(entries)):
        if cells := without_keys(results.kept(line, "cells")):
            sources = [str(cell["source"]) for cell in cells]
            yield Answer(entry.student, line["grading"]["sha256"], sources)
