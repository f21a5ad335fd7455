"""A list of cases with an id twice is refused before anything runs."""

from labkit import EvalReport, numbers_in


def score(case, result):
    found = set(numbers_in(result.answer))
    used = {call["name"] for call in result.tool_calls}
    reasons = [f"figure {n} not found" for n in case["numbers"] if n not in found]
    reasons.extend(
        f"did not use {name}" for name in set(case["tools"]).difference(used)
    )
    if result.stopped_by in ("step_budget", "tool_call_budget", "token_budget"):
        reasons.insert(0, f"it ran out of its {result.stopped_by}")
    if not result.steps <= case["max_steps"]:
        reasons.insert(
            0, f"{result.steps - case['max_steps']} steps too many of {result.steps}"
        )
    return reasons


def evaluate(run, cases, threshold):
    ids = [case["id"] for case in cases]
    if twice := {id for id in ids if ids.count(id) > 1}:
        raise ValueError(f"these ids stand there twice: {', '.join(twice)}")
    report = EvalReport(total=len(ids))
    for case in cases:
        reasons = []
        try:
            result = run(case)
            reasons = score(case, result)
            report.stops.setdefault(result.stopped_by, []).append(case["question"])
        except Exception as error:
            reasons = [f"no result, because of {error!r}"]
        if reasons:
            report.failures[case["id"]] = list(reasons)
    report.passed = report.total - len(report.failures)
    report.pass_rate = round(report.passed / report.total, 2) if report.total else 0.0
    report.exit_code = 1
    if report.total and report.passed >= threshold * report.total:
        report.exit_code = 0
    return report
