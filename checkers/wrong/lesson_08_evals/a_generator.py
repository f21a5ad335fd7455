"""fails: has_nothing_against_a_right_run"""

from labkit import EvalReport, numbers_in, tools_that_ran


def score(case, result):
    if result.stopped_by != "answered":
        yield f"stopped by {result.stopped_by}"
    if result.steps > case.get("max_steps", result.steps):
        yield f"{result.steps} steps"
    used = tools_that_ran(result)
    tools = case.get("tools", [])
    yield from (f"{tool} did not run" for tool in tools if tool not in used)
    said = numbers_in(result.answer)
    yield from (f"{n} is missing" for n in case.get("numbers", []) if n not in said)


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
    report.pass_rate = report.passed / report.total
    report.exit_code = 0 if report.pass_rate >= threshold else 1
    return report
