"""The help a learner is offered on the way through one lesson, and what earned it."""

from typing import TYPE_CHECKING

from labkit.attempts import Attempts
from labkit.errors import LabError

if TYPE_CHECKING:
    from labkit.checking.check import Checker
    from labkit.checking.report import Report
    from labkit.display.cards import Help, Passed
    from labkit.display.face import Face


class Guidance:
    """Hints in their order, solutions once they are earned, and what comes next."""

    def __init__(self, checker: "Checker") -> None:
        self.checker = checker
        self.attempts = Attempts()
        self.hints_given: dict[str, int] = {}

    def hint(self, part: str) -> "Face":
        """The next hint for a part; after the last one, that one again."""
        from labkit.display.cards import hint

        number, _ = self.next_hint(part)
        self.hints_given[part] = number
        return hint(part, number, self.checker.hints[part])

    def next_hint(self, part: str) -> tuple[int, int]:
        """Which hint comes next, and of how many; the last one comes again."""
        of = len(self.checker.hints[part])
        return min(self.hints_given.get(part, 0) + 1, of), of

    def solution(self, part: str) -> "Face":
        """The finished code of a part."""
        from labkit.display.cards import code
        from labkit.finished import cut, target_of

        return code(cut(target_of(part)).text, f"The finished {part}:")

    def offered(self, report: "Report") -> "Help":
        """The help that a card offers: for the parts that it is about."""
        from labkit.display.cards import Help

        parts = list(dict.fromkeys(check.part for check in report.checks))
        solutions = [part for part in parts if part in self.attempts.earned]
        missing = [part for part in parts if part not in self.attempts.passing]
        part = missing[0] if missing else ""
        return Help(self.hint, self.solution, self.next_hint, part, solutions)

    def passed(self) -> "Passed":
        """What was learned and what is next, once every part of the lesson passes."""
        from labkit.display.cards import Passed
        from labkit.lab import lessons

        if not self.attempts.passing.issuperset(self.checker.parts):
            return Passed()
        later = [name for name in lessons() if name > self.checker.lesson]
        return Passed(self.checker.learned, f"{later[0]}.ipynb" if later else "")

    def part(self, named: str | None, report: "Report | None") -> str:
        """The part that is named; as a rule the first with a check not passed."""
        checks = report.checks if report else []
        first = next((c.part for c in checks if not c.passed), self.checker.parts[0])
        part = named or first
        if part not in self.checker.hints:
            known = ", ".join(self.checker.parts)
            raise LabError(
                f"{self.checker.lesson} has no part {part!r}; it has: {known}."
            )
        return part
