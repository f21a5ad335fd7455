"""The runs go side by side; the rate is a mean, which no cases do not have."""

import math
from concurrent.futures import ThreadPoolExecutor
from statistics import mean

from labkit import EvalReport, numbers_in


def score(case, result):
    reasons = []

    def require(holds, reason):
        if not holds:
            reasons.append(reason)

    require(result.stopped_by == "answered", f"stopped_by={result.stopped_by}")
    require(result.steps <= case["max_steps"], f"steps={result.steps}")
    for name in case["tools"]:
        require(any(c["name"] == name for c in result.tool_calls), f"tools lack {name}")
    for wanted in case["numbers"]:
        found = (
            math.isclose(wanted, n, abs_tol=0.005) for n in numbers_in(result.answer)
        )
        require(any(found), f"figures lack {wanted}")
    return reasons


def evaluate(run, cases, threshold):
    def one(case):
        try:
            result = run(case)
        except Exception as error:
            return case, "raised", [f"{type(error).__name__}({error})"]
        return case, str(result.stopped_by), score(case, result)

    with ThreadPoolExecutor(max_workers=4) as pool:
        outcomes = list(pool.map(one, cases))
    rate = mean(1.0 if not reasons else 0.0 for _, _, reasons in outcomes)
    report = EvalReport(pass_rate=rate, exit_code=0 if rate >= threshold else 1)
    for case, stop, reasons in outcomes:
        report.add(case, reasons, stop)
    return report
