"""What `labkit grade` does, between its words and the batch."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labkit.checking.check import Checker, load_checker
from labkit.checking.report import lab_version
from labkit.errors import LabError
from labkit.grading.batch import Show, default_slots, grade_all
from labkit.grading.count import Count
from labkit.grading.journal import Journal
from labkit.grading.plan import Plan
from labkit.grading.record import now
from labkit.grading.shards import Shard
from labkit.grading.stored import checker_sha256
from labkit.lab import checker_file, lessons

SEEDS = 10**6


@dataclass
class Order:
    """What somebody wants graded, into which folder, and how."""

    paths: list[Path]
    out: Path
    lessons: list[str] = field(default_factory=list)
    seed: int | None = None
    slots: int | None = None
    mapping: Path | None = None
    shard: Shard | None = None
    cluster: str | None = None
    allow_weak: bool = False

    def __post_init__(self) -> None:
        for path in self.paths:
            if self.out.resolve().is_relative_to(path.resolve()):
                raise LabError(
                    f"{self.out} lies in {path}, which is to be graded; give an --out "
                    "outside of it."
                )
        if self.seed == 0:
            raise LabError("Seed 0 is the one that learners see; take another number.")
        if self.shard and self.seed is None:
            raise LabError(
                "Shards have to agree on a seed; give each the same --seed N, not 0."
            )
        if self.shard and self.cluster:
            raise LabError("--shard and --cluster exclude each other; give one.")


def carry_out(order: Order, begun: Callable[[Plan], Show]) -> Count:
    """Grade what is ordered; `begun` is told the plan and gives what shows a result."""
    from labkit.grading.grounds import open_grounds
    from labkit.grading.handed_in import collect

    checkers = {name: load_checker(name) for name in order.lessons or lessons()}
    handed_in = list(collect(order.paths, order.mapping))
    shard = [
        one for one in handed_in if not order.shard or order.shard.holds(one.student)
    ]
    journal = Journal(order.out)
    try:
        seed = begin(journal, checkers, order.seed)
        grounds = open_grounds(order.allow_weak)
        try:
            slots = order.slots or default_slots(grounds.tier)
            given = (shard, journal, checkers, seed, grounds, slots, begun)
            count = grade_all(*given, crowd=_crowd(order))
            count.empty_shard = bool(handed_in) and not shard
            return count
        finally:
            grounds.close()
    finally:
        journal.close()


def begin(journal: Journal, checkers: dict[str, Checker], seed: int | None) -> int:
    """The batch's seed, drawn for a new one; LabError if this is another batch.

    It is drawn and kept, so that nobody can work it out and type the answers in.
    """
    now_true = digests(checkers)
    before = journal.batch
    if before is None:
        drawn = seed or 1 + secrets.randbelow(SEEDS)
        journal.append(batch_event(drawn, now_true))
        return drawn
    _compare(journal.folder, before, now_true, seed)
    if now_true.keys() - before["lessons"].keys():
        journal.append(batch_event(before["seed"], before["lessons"] | now_true))
    return int(before["seed"])


def batch_event(seed: int, digests: dict[str, str]) -> dict[str, Any]:
    """The journal's line for how a batch is graded."""
    about = {"event": "batch", "format": 1, "lab_version": lab_version()}
    return {**about, "seed": seed, "lessons": digests, "at": now()}


def digests(checkers: dict[str, Checker]) -> dict[str, str]:
    """The fingerprint of each lesson's checker, by lesson."""
    return {
        name: checker_sha256(checker_file(name), checker)
        for name, checker in checkers.items()
    }


def _compare(
    out: Path, before: dict[str, Any], digests: dict[str, str], seed: int | None
) -> None:
    if before["lab_version"] != lab_version():
        raise LabError(
            f"{out}: graded by labkit {before['lab_version']}, this is {lab_version()};"
            " give another --out."
        )
    if seed and seed != before["seed"]:
        raise LabError(
            f"{out}: graded with seed {before['seed']}; leave --seed out to go on with "
            "it, or give another --out."
        )
    for lesson, digest in digests.items():
        if before["lessons"].get(lesson, digest) != digest:
            raise LabError(
                f"{out}: the checker of {lesson} or a recording of its has changed "
                "since; judge again with --only CHECK, or give another --out."
            )


def _crowd(order: Order) -> Any:
    if not order.cluster:
        return None
    from labkit.grading.cluster import crowd_of

    return crowd_of(order.cluster, order.allow_weak)
