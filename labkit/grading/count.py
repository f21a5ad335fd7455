"""What came of a batch, counted."""

from dataclasses import dataclass
from pathlib import Path

from labkit.grading.journal import Journal
from labkit.grading.record import all_passed, labs_fault
from labkit.quantity import quantity


@dataclass
class Count:
    """What came of a batch, all of its results counted."""

    results: int = 0
    passed: int = 0
    not_gradable: int = 0
    labs_faults: int = 0
    fresh: int = 0
    seconds: float = 0.0
    empty_shard: bool = False

    @property
    def exit_code(self) -> int:
        """0 all passed, 1 something did not, 2 something was the lab's own fault."""
        if self.empty_shard:
            return 0
        if self.labs_faults or not self.results:
            return 2
        return 0 if self.passed == self.results else 1

    def sentences(self, out: Path) -> list[str]:
        """What there is to say of it, a line each."""
        if self.empty_shard:
            return ["no student falls into this shard, and that is all right"]
        told = f"{quantity(self.results, 'result')}, all checks passed in {self.passed}"
        if self.not_gradable:
            told += f", not gradable: {self.not_gradable}"
        if self.labs_faults:
            told += f", the lab's own fault, which costs no point: {self.labs_faults}"
        rate = 60 * self.fresh / self.seconds if self.seconds else 0
        took = f"{self.fresh} new in {self.seconds:.1f} s, {rate:,.0f} a minute"
        return [f"{told}; see {out / 'results.jsonl'}", *([took] if self.fresh else [])]


def counted(journal: Journal) -> Count:
    """All results of a journal, counted."""
    count = Count()
    for record in journal.records():
        count.results += 1
        count.passed += all_passed(record)
        count.not_gradable += record["status"] == "not_gradable"
        count.labs_faults += labs_fault(record)
    return count
