"""A report: what came of a lesson's checks for one submission, as data."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

# The lab's own fault, never the learner's.
LAB_FAULTS = ("broken", "internal")


@cache
def lab_version() -> str:
    """labkit's version, looked up once."""
    return version("labkit")


@dataclass
class CheckResult:
    """The verdict on one claim; `after` is the check that a skipped one waits for."""

    id: str
    part: str
    claim: str
    outcome: str
    max_points: int
    seen: str = ""
    expected: str = ""
    try_: str = ""
    after: str | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract, in its order."""
        fields = asdict(self)
        fields["try"] = fields.pop("try_")
        fields["points"] = self.max_points if self.passed else 0
        order = ("id", "part", "claim", "outcome", "points", "max_points")
        rest = ("seen", "expected", "try", "after", "seconds")
        return {name: fields[name] for name in order + rest}


@dataclass
class Report:
    """One lesson's verdict on one submission.

    `status` is "graded" or "not_gradable", with the reason in `notes`; in a batch also
    "missing" or "internal". `printed` is what the learner's code printed while it was
    checked. A check that could not judge, by the lab's own fault, counts for nothing:
    neither in the score nor in what can be reached.
    """

    lesson: str
    submission: str
    seed: int
    status: str = "graded"
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)
    printed: str = ""

    @property
    def score(self) -> int:
        return sum(check.max_points for check in self.checks if check.passed)

    @property
    def max_score(self) -> int:
        judged = (c for c in self.checks if c.outcome not in LAB_FAULTS)
        return sum(check.max_points for check in judged)

    @property
    def exit_code(self) -> int:
        """0 all passed, 1 something did not, 2 not gradable or the lab's own fault."""
        outcomes = Counter(check.outcome for check in self.checks)
        if self.status != "graded" or not outcomes:
            return 2
        if any(outcomes[fault] for fault in LAB_FAULTS):
            return 2
        return 0 if set(outcomes) == {"passed"} else 1

    def to_json(self) -> dict[str, Any]:
        """The report of the contract, schema 1."""
        return {
            "schema": 1,
            "lab_version": lab_version(),
            "lesson": self.lesson,
            "submission": self.submission,
            "seed": self.seed,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "seconds": round(self.seconds, 3),
            "notes": self.notes,
            "checks": [check.to_json() for check in self.checks],
        }
