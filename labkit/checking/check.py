"""A check: one claim about the learner's code, judged by a function of evidence."""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from labkit.checking.evidence import Evidence
from labkit.checking.scenario import Scenario
from labkit.errors import LabError
from labkit.lab import checker_file


@dataclass(frozen=True)
class Failure:
    """What was seen, what was expected, and one thing to try; a short line each."""

    seen: str
    expected: str
    try_: str


def first(
    judge: Callable[[Evidence], Failure | None], evidence: Iterable[Evidence]
) -> Failure | None:
    """The first failure that a judge of one scenario finds in several, or None."""
    return next(filter(None, map(judge, evidence)), None)


@dataclass(frozen=True)
class Check:
    """A claim with the function that judges it; see `check`."""

    id: str
    claim: str
    judge: Callable[..., Failure | None]
    scenarios: tuple[Scenario, ...]
    points: int
    after: tuple["Check", ...]
    raises: bool

    @property
    def part(self) -> str:
        """The exercise this check is about."""
        return self.scenarios[0].part


@dataclass(frozen=True)
class Checker:
    """One lesson's checks, in the order in which they are judged, and its hints.

    `learned` is the sentence that whoever passes the lesson reads.
    """

    lesson: str
    checks: list[Check]
    hints: dict[str, list[str]]
    learned: str = ""

    @property
    def parts(self) -> list[str]:
        """The lesson's exercises, in their order."""
        return list(self.hints)

    def only(self, parts: list[str]) -> "Checker":
        """The same lesson, with the hints and checks of these parts alone.

        They wait for none that is left out.
        """
        kept = [check for check in self.checks if check.part in parts]
        ids = {check.id for check in kept}
        checks = [
            replace(check, after=tuple(c for c in check.after if c.id in ids))
            for check in kept
        ]
        hints = {part: self.hints[part] for part in parts}
        return Checker(self.lesson, checks, hints, self.learned)


def check(
    *scenarios: Scenario,
    points: int = 1,
    after: Check | tuple[Check, ...] = (),
    raises: bool = False,
) -> Callable[[Callable[..., Failure | None]], Check]:
    """Make a function a check: its name is the id, its docstring the claim.

    It is called with the evidence of each scenario and returns None or a Failure. It is
    `skipped` while a check in `after` has not passed. A scenario that raised gives its
    check the outcome `error` unless `raises` says that the check judges that too.
    """

    def made(judge: Callable[..., Failure | None]) -> Check:
        claim = " ".join((judge.__doc__ or "").split())
        before = after if isinstance(after, tuple) else (after,)
        return Check(judge.__name__, claim, judge, scenarios, points, before, raises)

    return made


def load_checker(lesson: str) -> Checker:
    """The checker of a lesson; LabError names file and line if it cannot be loaded."""
    return read_checker(checker_file(lesson))


def read_checker(path: Path) -> Checker:
    """The checker in a file."""
    module: dict[str, Any] = {"__name__": path.stem}
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module)
    except Exception as error:
        where = f"{path}, line {line_in(path, error)}"
        fault = f"{type(error).__name__}: {error}"
        raise LabError(f"{where}: the checker cannot be loaded ({fault}).") from error
    checks = [value for value in module.values() if isinstance(value, Check)]
    hints = module.get("HINTS", {})
    if not checks or not hints:
        raise LabError(f"{path}: a checker needs at least one check and HINTS.")
    return Checker(path.stem, checks, hints, str(module.get("LEARNED", "")))


def line_in(path: Path, error: BaseException) -> int:
    """The last line of a file that an exception passed through."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 0
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else 0
