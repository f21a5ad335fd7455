"""One reason for all figures; the failures of a case are one joined text."""

import re
from decimal import Decimal

from labkit import EvalReport

BUDGETS = ["step_budget", "tool_call_budget", "token_budget", "cost_budget"]


def score(case, result):
    said = {
        Decimal(n.replace(",", ""))
        for n in re.findall(r"\d[\d,]*(?:\.\d+)?", result.answer)
    }
    wanted = {Decimal(str(n)) for n in case["numbers"]}
    tools = set(case["tools"]) - {entry["name"] for entry in result.tool_calls}
    faults = {
        "no figure of this size in the answer": wanted - said,
        "never used": tools,
        "budget spent": {result.stopped_by} & set(BUDGETS),
        "too many steps": {result.steps} if result.steps > case["max_steps"] else set(),
    }
    return [
        f"{what}: {', '.join(sorted(map(str, them)))}"
        for what, them in faults.items()
        if them
    ]


def evaluate(run, cases, threshold):
    failures, stops = {}, {}
    passed = 0
    for case in cases:
        try:
            result = run(case)
        except Exception as error:
            stop, reasons = "exception", [type(error).__name__]
        else:
            stop, reasons = result.stopped_by, score(case, result)
        stops.setdefault(stop, []).append(case["question"])
        if not reasons:
            passed += 1
            continue
        before = failures.get(case["id"])
        failures[case["id"]] = "; ".join(([before] if before else []) + reasons)
    total = len(cases)
    rate = round(passed / total, 2) if total else 0.0
    code = 1 if not total or passed / total < threshold else 0
    return EvalReport(passed, total, rate, failures, stops, code)
