"""fails: equal_ids_lose_nothing"""

from labkit import EvalReport, numbers_in, tools_that_ran


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
    report = EvalReport()
    for case in cases:
        try:
            result = run(case)
            reasons, stop = score(case, result), result.stopped_by
        except Exception as error:
            reasons, stop = [f"raised {error!r}"], "raised"
        report.add(case, reasons, stop)
    if not report.total:
        raise ValueError("no cases")
    report.pass_rate = 1 - len(report.failures) / report.total
    report.exit_code = 0 if report.pass_rate >= threshold else 1
    return report
