"""A trial for other programs: JSON, JUnit XML, what changed since an earlier one."""

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from labkit.errors import LabError
from labkit.evals.trial import Trial, Tried


def to_json(trial: Trial) -> dict[str, Any]:
    """The trial, schema 1: the report's fields, and each case as it went."""
    report = trial.report
    return {
        "schema": 1,
        "lab_version": version("labkit"),
        "agent": trial.agent,
        "seed": trial.seed,
        "threshold": trial.threshold,
        "passed": report.passed,
        "total": report.total,
        "pass_rate": report.pass_rate,
        "exit_code": report.exit_code,
        "seconds": round(trial.seconds, 3),
        "failures": report.failures,
        "stops": report.stops,
        "cases": [_case(trial, tried) for tried in trial.tried],
    }


def _case(trial: Trial, tried: Tried) -> dict[str, Any]:
    result, id = tried.result, tried.case["id"]
    return {
        "id": id,
        "question": tried.case["question"],
        "recording": tried.case["recording"],
        "passed": id not in trial.report.failures,
        "reasons": trial.report.failures.get(id, []),
        "stopped_by": result.stopped_by if result else None,
        "answer": result.answer if result else "",
        "steps": result.steps if result else 0,
        "tokens": result.tokens if result else 0,
        "seconds": round(tried.seconds, 4),
    }


def junit(trial: Trial) -> str:
    """The trial as JUnit XML: one suite, one test case per eval case."""
    report = trial.report
    suite = ElementTree.Element(
        "testsuite",
        name=trial.agent,
        tests=str(report.total),
        failures=str(report.total - report.passed),
        errors="0",
        time=f"{trial.seconds:.3f}",
    )
    for tried in trial.tried:
        id = tried.case["id"]
        element = ElementTree.SubElement(
            suite,
            "testcase",
            classname=_xml(f"evals.{trial.agent}"),
            name=_xml(id),
            time=f"{tried.seconds:.3f}",
        )
        if reasons := report.failures.get(id):
            failure = ElementTree.SubElement(
                element, "failure", message=_xml(reasons[0])
            )
            failure.text = _xml("\n".join(reasons))
    ElementTree.indent(suite)
    return f"{ElementTree.tostring(suite, encoding='unicode')}\n"


def _xml(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def read_earlier(path: Path) -> dict[str, Any]:
    """An earlier trial as `labkit eval --json` printed it; LabError if it is none."""
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
        assert earlier["schema"] == 1
        assert all(
            {"id", "passed", "steps", "tokens"} <= c.keys() for c in earlier["cases"]
        )
        float(earlier["pass_rate"])
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
        raise LabError(
            f"{path}: this is no earlier report; labkit eval … --json prints one."
        ) from None
    found: dict[str, Any] = earlier
    return found


def changes(earlier: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """What is different from an earlier trial, a line each."""
    before = {case["id"]: case for case in earlier["cases"]}
    after = {case["id"]: case for case in now["cases"]}
    both = [id for id in after if id in before]
    yield f"rate {earlier['pass_rate']:.2f} -> {now['pass_rate']:.2f}"
    for id in both:
        if before[id]["passed"] and not after[id]["passed"]:
            yield f"✗ {id} passed before"
    for id in both:
        if after[id]["passed"] and not before[id]["passed"]:
            yield f"✓ {id} did not pass before"
    yield from (f"+ {id} is new" for id in after if id not in before)
    yield from (f"- {id} is gone" for id in before if id not in after)
    for field in ("steps", "tokens"):
        old, new = (sum(side[id][field] for id in both) for side in (before, after))
        if old != new:
            yield f"{field} {old} -> {new} over {len(both)} cases"
