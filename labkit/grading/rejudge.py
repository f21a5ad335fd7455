"""Judge kept evidence again with a corrected check; no learner's code need run."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from labkit.checking.check import Check, Checker, load_checker
from labkit.checking.judge import judge
from labkit.checking.place import Place
from labkit.checking.report import LAB_FAULTS, Report
from labkit.display.report import one_line
from labkit.errors import LabError
from labkit.grading import stored
from labkit.grading.count import Count, counted
from labkit.grading.grader import open_submission
from labkit.grading.journal import Entry, Journal, read_batch, write_results
from labkit.grading.setup import Order, batch_event, digests
from labkit.lab import unknown
from labkit.redaction import without_keys

if TYPE_CHECKING:
    from labkit.grading.grounds import Grounds
    from labkit.grading.handed_in import HandedIn

Place_ = tuple[str, str]  # submission and lesson


def rejudge(order: Order, named: list[str], tell: Callable[[str], object]) -> Count:
    """Judge these checks again, and those that wait for them; tell what changed.

    A scenario that was never run for a submission is run now, if its file is given.
    Verdicts of other checks stay.
    """
    journal = read_batch(order.out)
    again = _Again(order, journal)
    try:
        if journal.batch is None:
            raise LabError(f"{order.out}: nothing is graded in it yet; grade first.")
        checkers = _checkers_with(named, order.lessons or [*journal.batch["lessons"]])
        for lesson, checker in checkers.items():
            for line in again.lesson(lesson, checker, set(named)):
                tell(line)
        now_true = journal.batch["lessons"] | digests(checkers)
        journal.append(batch_event(journal.batch["seed"], now_true))
        return counted(journal)
    finally:
        write_results(journal)
        journal.close()
        again.close()


def _checkers_with(named: list[str], among: list[str]) -> dict[str, Checker]:
    """The lessons that have these checks; LabError for a check that none has."""
    checkers = {lesson: load_checker(lesson) for lesson in among}
    ids = {lesson: {c.id for c in checkers[lesson].checks} for lesson in among}
    every = sorted(set().union(*ids.values()))
    for name in named:
        if name not in every:
            raise LabError(unknown("check", name, every))
    return {name: c for name, c in checkers.items() if ids[name] & set(named)}


@dataclass
class _Again:
    """One pass over the results of a journal."""

    order: Order
    journal: Journal
    grounds: "Grounds | None" = None
    files: "dict[str, HandedIn] | None" = None

    def lesson(self, lesson: str, checker: Checker, named: set[str]) -> Iterator[str]:
        """Judge a lesson's results again; a line for each that changed."""
        places = [
            (entry, place)
            for place, entry in self.journal.results.items()
            if place[1] == lesson and entry.status == "graded"
        ]
        places.sort(key=lambda pair: (pair[0].key, pair[1]))
        for _, same in groupby(places, key=lambda pair: pair[0].key):
            yield from self._key(checker, named, list(same))

    def _key(
        self, checker: Checker, named: set[str], same: list[tuple[Entry, Place_]]
    ) -> Iterator[str]:
        """Judge one content again, and write it for everybody who handed it in."""
        before = self.journal.record(same[0][0])
        wanted = _and_waiting(checker, named | _new_ids(checker, before))
        try:
            report = self._judged(_needed(checker, wanted), before)
        except stored.NotOnFile:
            for _, (submission, lesson) in same:
                why = "its code has to run again; give its path"
                yield f"{one_line(submission)}\t{lesson}\t{why}"
            return
        fresh = without_keys(report.to_json())["checks"]
        new = {c["id"]: c for c in fresh if c["id"] in wanted}
        for entry, _ in same:
            yield from self._write(checker, self.journal.record(entry), new, entry.key)

    def _write(
        self, checker: Checker, old: dict[str, Any], new: dict[str, Any], key: str
    ) -> Iterator[str]:
        record = _with_checks(checker, old, new)
        told = _changes(old, record)
        if told or record["checks"] != old["checks"]:
            event = {"event": "result", "key": key, "record": record}
            self.journal.append(event)
        if told:
            yield told

    def _judged(self, checker: Checker, record: dict[str, Any]) -> Report:
        """A report from what is on file, and a new run where that is not enough."""
        sha256, seed = record["grading"]["sha256"], record["seed"]
        path = stored.evidence_file(self.order.out, sha256, checker.lesson, seed)
        kept = stored.read_evidence(path)
        if kept is not None:
            with suppress(stored.NotOnFile):
                return judge(checker, stored.OnFile(kept), "the file", seed)
        fresh = self._fresh(sha256, load_checker(checker.lesson).parts)
        place = stored.OnFile(kept, fresh) if kept else fresh
        return judge(checker, place, "the file", seed)

    def _fresh(self, sha256: str, parts: list[str]) -> Place:
        """A place for a file that is given again; NotOnFile if it is not."""
        from labkit.grading.grounds import open_grounds
        from labkit.grading.handed_in import collect

        if self.files is None:
            found = collect(self.order.paths, self.order.mapping)
            self.files = {one.sha256: one for one in found if not one.fault}
        if sha256 not in self.files:
            raise stored.NotOnFile
        if self.grounds is None:
            self.grounds = open_grounds(self.order.allow_weak)
        one = self.files[sha256]
        place: Place = self.grounds.place(open_submission(one.path, one.read()), parts)
        return place

    def close(self) -> None:
        """Give back what was opened."""
        if self.grounds:
            self.grounds.close()


def _and_waiting(checker: Checker, named: set[str]) -> set[str]:
    """These checks and all that wait for one of them."""
    wanted = set(named)
    for check in checker.checks:  # one that waits stands after what it waits for
        if wanted & {c.id for c in check.after}:
            wanted.add(check.id)
    return wanted


def _needed(checker: Checker, wanted: set[str]) -> Checker:
    """The lesson with these checks and those that they wait for alone."""
    ids: set[str] = set()

    def add(check: Check) -> None:
        ids.add(check.id)
        for before in check.after:
            add(before)

    for check in checker.checks:
        if check.id in wanted:
            add(check)
    kept = [check for check in checker.checks if check.id in ids]
    return Checker(checker.lesson, kept, checker.hints)


def _new_ids(checker: Checker, record: dict[str, Any]) -> set[str]:
    there = {check["id"] for check in record["checks"]}
    return {check.id for check in checker.checks} - there


def _with_checks(
    checker: Checker, old: dict[str, Any], new: dict[str, Any]
) -> dict[str, Any]:
    """The line with new verdicts among the old ones, and the sums they make."""
    all_of_them = {check["id"]: check for check in old["checks"]}
    for id, check in new.items():  # how long it took is how long its code ran
        took = all_of_them.get(id, check)["seconds"]
        all_of_them[id] = check | {"seconds": took}
    checks = [all_of_them[c.id] for c in checker.checks if c.id in all_of_them]
    judged = [check for check in checks if check["outcome"] not in LAB_FAULTS]
    sums = {
        "score": sum(check["points"] for check in judged),
        "max_score": sum(check["max_points"] for check in judged),
    }
    return old | sums | {"checks": checks}


def _changes(old: dict[str, Any], new: dict[str, Any]) -> str:
    """What changed, as fields between tabs: whose, lesson, score, checks."""
    before = {check["id"]: check["outcome"] for check in old["checks"]}
    told = ", ".join(
        f"{check['id']} {before.get(check['id'], 'new')} -> {check['outcome']}"
        for check in new["checks"]
        if before.get(check["id"]) != check["outcome"]
    )
    scores = [f"{r['score']}/{r['max_score']}" for r in (old, new)]
    if not told and scores[0] == scores[1]:
        return ""
    who = f"{one_line(old['submission'])}\t{old['lesson']}"
    return f"{who}\t{scores[0]} -> {scores[1]}\t{told}"
