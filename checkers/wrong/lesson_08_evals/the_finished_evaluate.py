"""fails: counts_what_passed"""

from labkit import evaluate as finished
from labkit import numbers_in, tools_that_ran


def score(case, result):
    reasons = []
    if result.stopped_by != "answered":
        reasons.append(f"stopped by {result.stopped_by}")
    if result.steps > case.get("max_steps", result.steps):
        reasons.append(f"{result.steps} steps")
    used = tools_that_ran(result)
    for tool in case.get("tools", []):
        if tool not in used:
            reasons.append(f"{tool} did not run")
    said = numbers_in(result.answer)
    for number in case.get("numbers", []):
        if number not in said:
            reasons.append(f"{number} is missing")
    return reasons


def evaluate(run, cases, threshold):
    return finished(run, cases, threshold)
