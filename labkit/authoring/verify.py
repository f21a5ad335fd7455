"""`labkit dev verify`: a lesson's checks pass what is right and catch what is wrong.

For each lesson: nothing written gives no verdict, the finished code passes for ten
seeds, every wrong answer turns the check it names red first, every right one passes;
and no recording, hint or file is there for nothing.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from types import FunctionType
from typing import Any

from labkit.authoring.build import exercises
from labkit.authoring.inventory import inventory_faults
from labkit.checking.check import Checker, load_checker
from labkit.checking.judge import judge
from labkit.checking.loading import Loaded, asked_names, load
from labkit.checking.process import nearest_place
from labkit.checking.report import Report
from labkit.checking.submission import read_submission
from labkit.checking.written import VALUES, library_version
from labkit.lab import lab_folder
from labkit.silence import silent

SEEDS = range(10)
LARGEST_HOLE = 14


def verify(lesson: str) -> Iterator[str]:
    """Every fault of one lesson, a sentence each; LabError if it cannot be loaded."""
    checker = load_checker(lesson)
    yield from inventory_faults(checker)
    yield from _large_holes(lesson)
    yield from _nothing_written(checker)
    for seed in SEEDS:
        yield from _passes(checker, _judge_names(checker, seed), f"reference, {seed=}")
    for path in answers(lesson, "wrong"):
        yield from _caught(checker, path)
    for path in answers(lesson, "right"):
        yield from _passes(checker, judge_file(checker, path), path.name)


def hole_sizes(lesson: str) -> list[str]:
    """Each exercise of a lesson's notebook with the lines of its hole, as text."""
    source = lab_folder() / "notebooks" / "source" / f"{lesson}.py"
    if not source.exists():
        return []
    return [f"{found.part} {found.size}" for found in exercises(source)]


def answers(lesson: str, kind: str) -> list[Path]:
    """The "wrong" or "right" answers that stand beside a lesson's checker."""
    return sorted((lab_folder() / "checkers" / kind / lesson).glob("*.py"))


def named_check(path: Path) -> str | None:
    """The check that a wrong answer says it fails, in its first line."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    match = re.fullmatch(r'"""fails: (\w+)"""', first)
    return match[1] if match else None


def judge_file(checker: Checker, path: Path, seed: int = 0) -> Report:
    """The report on a file that is trusted: it runs beside this process, not jailed."""
    submission = read_submission(path).to_json()

    def loaded() -> Loaded:
        with silent():
            return load(submission, asked_names(checker.parts))

    return judge(checker, nearest_place(loaded, checker.parts), path.stem, seed)


def reference(parts: list[str]) -> dict[str, Any]:
    """The finished code as if a learner had written it: copies of the library's."""
    from labkit import agent

    found = {part: f for part in parts if (f := library_version(part))}
    copies = {part: _copy(function) for part, function in found.items()}
    for copy in copies.values():
        copy.__globals__.update(copies)  # so that one part calls the copy of another
    methods = {name: f for name, f in copies.items() if name in vars(agent.Agent)}
    values = {part: deepcopy(VALUES[part]) for part in parts if part in VALUES}
    return copies | values | {"MyAgent": type("MyAgent", (agent.Agent,), methods)}


def _copy(function: FunctionType) -> FunctionType:
    copy = FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _judge_names(checker: Checker, seed: int) -> Report:
    names = reference(checker.parts)
    place = nearest_place(lambda: Loaded(names), checker.parts)
    return judge(checker, place, "reference", seed)


def _large_holes(lesson: str) -> Iterator[str]:
    source = lab_folder() / "notebooks" / "source" / f"{lesson}.py"
    for found in exercises(source) if source.exists() else []:
        if found.size > LARGEST_HOLE:
            yield f"the hole of {found.part} has {found.size} lines"


def _nothing_written(checker: Checker) -> Iterator[str]:
    names = reference([])
    place = nearest_place(lambda: Loaded(names), checker.parts)
    for check in judge(checker, place, "starter").checks:
        if check.outcome not in ("not_started", "skipped"):
            yield f"nothing is written, and {check.id} is {check.outcome}"


def _passes(checker: Checker, report: Report, what: str) -> Iterator[str]:
    for check in report.checks:
        if not check.passed:
            yield f"{what}: {check.id} is {check.outcome} ({check.seen})"


def _caught(checker: Checker, path: Path) -> Iterator[str]:
    named = named_check(path)
    if named not in [check.id for check in checker.checks]:
        yield f'wrong/{path.name}: the first line must be """fails: name_of_a_check"""'
        return
    report = judge_file(checker, path)
    red = [check for check in report.checks if not check.passed]
    if not red:
        yield f"wrong/{path.name}: passes every check"
    elif red[0].id != named:
        yield f"wrong/{path.name}: {red[0].id} is red first, not {named}"
    yield from (
        f"wrong/{path.name}: {check.id} is broken ({check.seen})"
        for check in red
        if check.outcome == "broken"
    )
