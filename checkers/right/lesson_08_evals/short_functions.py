"""Comprehensions; what raised becomes a result that failed."""

import re

from labkit import EvalReport, Result


def amounts(text):
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("$", " ").rstrip(".")
    return [float(n) for n in plain.split() if re.fullmatch(r"\d+(\.\d+)?", n)]


def names(result):
    return [entry["name"] for entry in result.tool_calls]


def score(case, result):
    words = result.answer.replace(", ", " ")
    tests = [
        (result.stopped_by == "answered", f"it was stopped: {result.stopped_by}"),
        (result.steps <= case["max_steps"], f"it took {result.steps} steps"),
        *((n in amounts(words), f"{n} is not said") for n in case["numbers"]),
        *((t in names(result), f"{t} is not used") for t in case["tools"]),
    ]
    return [reason for holds, reason in tests if not holds]


def safely(run, case):
    try:
        return run(case)
    except Exception as error:
        return Result(case["question"], stopped_by="raised", error=repr(error))


def evaluate(run, cases, threshold):
    assert cases, "no cases"
    results = [safely(run, case) for case in cases]
    against = [score(case, result) for case, result in zip(cases, results)]
    passed = against.count([])
    failures, stops = {}, {}
    for case, result, reasons in zip(cases, results, against):
        failures.setdefault(case["id"], []).extend(reasons)
        stops.setdefault(result.stopped_by, []).append(case["question"])
    return EvalReport(
        passed=passed,
        total=len(cases),
        pass_rate=passed / len(cases),
        failures={id: reasons for id, reasons in failures.items() if reasons},
        stops=stops,
        exit_code=int(passed / len(cases) < threshold),
    )
