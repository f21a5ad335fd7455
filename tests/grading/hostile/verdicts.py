"""What each hostile submission gets, in one kind of jail; as a program, as JSON."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from labkit.checking.check import Checker, load_checker
from labkit.checking.judge import judge
from labkit.checking.place import Caps
from labkit.checking.submission import submission_from
from labkit.errors import LabError
from labkit.grading.grounds import Grounds, open_grounds
from tests.grading.hostile import CASES
from tests.grading.hostile.case import Case

CAPS = Caps(
    seconds=6,
    loading_seconds=6,
    memory=256 << 20,
    cpu_seconds=0.7,
    loading_cpu_seconds=1.5,
)
SLOTS = 8
Verdict = tuple[str, str]


def verdicts(tier: str, only: str = "") -> dict[str, Verdict]:
    """The outcome of the first check that is not passed, and its card; by name."""
    checker = load_checker("lesson_03_loop")
    grounds = open_grounds(jails=(tier,), caps=CAPS)
    chosen = [case for case in CASES if only in case.name]
    try:
        with ThreadPoolExecutor(SLOTS) as slots:
            found = slots.map(lambda case: _verdict(checker, grounds, case), chosen)
            return {case.name: verdict for case, verdict in zip(chosen, found)}
    finally:
        grounds.close()


def _verdict(checker: Checker, grounds: Grounds, case: Case) -> Verdict:
    data = case.code.encode("utf-8", "surrogatepass")
    try:
        submission = submission_from(case.file, data)
    except LabError as error:
        return "not_gradable", str(error)
    place = grounds.place(submission, checker.parts)
    report = judge(checker, place, case.name, seed=7)
    if report.status != "graded":
        return report.status, " ".join(report.notes)
    for check in report.checks:
        if not check.passed:
            return check.outcome, f"{check.seen} {check.expected}"
    return "passed", ""


def wrong(found: dict[str, Verdict], namespaces: bool) -> list[str]:
    """What differs from what must be got, a line for each."""
    known = {case.name: case for case in CASES}
    return [
        f"{name}: {outcome}, not {known[name].outcomes(namespaces)} ({seen})"
        for name, (outcome, seen) in found.items()
        if outcome not in known[name].outcomes(namespaces)
        or ((not known[name].without or namespaces) and known[name].seen not in seen)
    ]


if __name__ == "__main__":
    found = verdicts(*sys.argv[1:])
    print(json.dumps(found))
