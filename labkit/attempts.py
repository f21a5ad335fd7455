"""What a learner has tried of a lesson, part by part, while the kernel lives."""

import ast
import json
from typing import Any

from labkit.checking.report import CheckResult, Report

# So many different attempts at a part earn its solution; a pass does as well.
ENOUGH = 3
NO_ATTEMPT = {"not_started", "skipped", "broken"}


class Attempts:
    """The parts that pass, those with a solution to be seen, and what was tried."""

    def __init__(self) -> None:
        self.passing: set[str] = set()
        self.earned: set[str] = set()
        self.asked: set[str] = set()
        self.tried: dict[str, set[str]] = {}

    def note(self, report: Report, names: dict[str, Any]) -> None:
        """Count a report; the same code checked twice is one attempt."""
        for part in {check.part for check in report.checks}:
            checks = [check for check in report.checks if check.part == part]
            outcomes = {check.outcome for check in checks}
            self.passing.discard(part)
            if outcomes == {"passed"}:
                self.passing.add(part)
                self.earned.add(part)
            elif not outcomes <= NO_ATTEMPT:
                tried = self.tried.setdefault(part, set())
                tried.add(fingerprint(names, part, checks))
                if len(tried) >= ENOUGH:
                    self.earned.add(part)

    def may_see(self, part: str) -> bool:
        """Whether a solution is shown; one not earned yet is asked for twice."""
        if part in self.earned | self.asked:
            return True
        self.asked.add(part)
        return False


def fingerprint(names: dict[str, Any], part: str, checks: list[CheckResult]) -> str:
    """A text that is another one for other code; comments and spaces do not count.

    Where the code is not to be had, the verdicts stand for it.
    """
    from labkit.assembly.written import written

    try:
        found = written(names, part)
        codes = found.functions | found.methods | found.definitions
        trees = {name: ast.dump(ast.parse(code)) for name, code in codes.items()}
        return json.dumps([trees, found.value], sort_keys=True, default=repr)
    except Exception:  # whatever a learner made of it: only a count hangs on this
        return json.dumps([[check.outcome, check.seen] for check in checks])
