"""Grade one file in one lesson; whatever it holds, a report is what comes back."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from labkit.checking.check import Checker
from labkit.checking.child_process import waited
from labkit.checking.evidence import Evidence
from labkit.checking.judge import judge
from labkit.checking.place import Arrival
from labkit.checking.report import Report
from labkit.checking.submission import Submission, submission_from
from labkit.errors import LabError
from labkit.grading import stored
from labkit.grading.record import now, ungraded
from labkit.redaction import NOTE, holds_key, json_without_keys, without_keys

if TYPE_CHECKING:
    from labkit.grading.grounds import Grounds


UNCERTAIN = {"memory", "crashed"}


@dataclass(frozen=True)
class Graded:
    """A report as JSON that does not say whose it is, and the packed evidence.

    `uncertain` says that a run by itself may end otherwise.
    """

    report: dict[str, Any]
    tier: str
    started: str
    ended: str
    evidence: bytes = b""
    uncertain: bool = False


@dataclass
class Grader:
    """Grades with these checkers and one seed; may be used from several threads."""

    grounds: "Grounds"
    checkers: dict[str, Checker]
    seed: int

    def grade(
        self, path: str, sha256: str, read: Callable[[], bytes], lesson: str
    ) -> Graded:
        """The report on a file in a lesson; `read` gives its content."""
        started = now()
        one = _One(self, self.checkers[lesson])
        try:
            report = one.report(path, sha256, read())
        except LabError as error:
            report = one.internal(str(error))
        except Exception as error:  # one bad file never stops a batch
            report = one.internal(
                f"the grader itself failed ({type(error).__name__}: {error})"
            )
        return one.graded(report, started)


@dataclass
class _One:
    """One file in one lesson, and what was seen of it."""

    grader: Grader
    checker: Checker
    kept: dict[str, Any] = field(default_factory=dict)
    cells: list[dict[str, Any]] = field(default_factory=list)
    uncertain: bool = False
    no_process: bool = False
    key_in_it: bool = False

    def report(self, path: str, sha256: str, data: bytes) -> Report:
        if hashlib.sha256(data).hexdigest() != sha256:
            raise LabError("The file was changed meanwhile; give the command again.")
        self.key_in_it = holds_key(data.decode("utf-8", errors="replace"))
        try:
            submission = open_submission(path, data)
        except LabError as error:
            why = str(error)
            return ungraded(self.checker, "not_gradable", why, self.grader.seed)
        return self._judged(submission)

    def internal(self, why: str) -> Report:
        """A report that says what went wrong with the lab, and costs nothing."""
        self.uncertain = True
        return ungraded(self.checker, "internal", why, self.grader.seed)

    def _judged(self, submission: Submission) -> Report:
        checker, grader = self.checker, self.grader
        self.cells = submission.to_json()["cells"]  # for whoever compares answers
        place = grader.grounds.place(submission, checker.parts)
        given = (checker, place, "the file", grader.seed)
        report = judge(*given, find=stored.shared_recording, keep=self._keep)
        report.submission = ""
        if self.no_process:
            report.status = "internal"
        outcomes = {check.outcome for check in report.checks}
        if outcomes & (UNCERTAIN if _waiting_is_told() else UNCERTAIN | {"timeout"}):
            self.uncertain = True
        return report

    def _keep(self, arrival: Arrival, seen: dict[int, Evidence]) -> None:
        self.kept = stored.packed(self.checker, arrival, seen) | {"cells": self.cells}
        stops = {evidence.stopped for evidence in seen.values()}
        self.no_process = arrival.stopped == "broken"
        self.uncertain = self.no_process or "broken" in stops

    def graded(self, report: Report, started: str) -> Graded:
        told = without_keys(report.to_json())
        if self.key_in_it:
            told["notes"].append(NOTE)
        content = b""
        if self.kept:
            content = stored.compressed(json_without_keys(self.kept))
        tier = self.grader.grounds.tier
        return Graded(told, tier, started, now(), content, self.uncertain)


def open_submission(path: str, data: bytes) -> Submission:
    """The code in a file, under no name of a student's.

    So the same file of another student gets the same report.
    """
    return submission_from(f"submission{PurePath(path).suffix.lower()}", data)


def _waiting_is_told() -> bool:
    """Whether a busy machine makes no time-out here: waiting for it does not count."""
    return waited(os.getpid()) is not None
