"""Reasons as a tuple, and an exit code that is True or False."""

from types import SimpleNamespace

from labkit import numbers_in


def score(case, result):
    used = tuple(call["name"] for call in result.tool_calls)
    said = tuple(round(n, 2) for n in numbers_in(result.answer))
    stopped = (str(result.stopped_by),) if result.stopped_by != "answered" else ()
    steps = (f"steps: {result.steps}",) if result.steps > case["max_steps"] else ()
    tools = tuple(f"{t} was not asked" for t in case["tools"] if t not in used)
    figures = tuple(f"{n} nowhere" for n in case["numbers"] if round(n, 2) not in said)
    return stopped + steps + tools + figures


def evaluate(run, cases, threshold):
    if len(cases) == 0:
        raise AssertionError("give at least one case")
    report = SimpleNamespace(passed=0, total=0, failures={}, stops={})
    for case in cases:
        report.total += 1
        stop = "error"
        try:
            result = run(case)
            stop = result.stopped_by
            reasons = score(case, result)
        except Exception as error:
            reasons = ("error: " + type(error).__name__,)
        report.stops[stop] = (*report.stops.get(stop, ()), case["question"])
        if reasons:
            report.failures[case["id"]] = (
                *report.failures.get(case["id"], ()),
                *reasons,
            )
        else:
            report.passed += 1
    report.pass_rate = report.passed / report.total
    report.exit_code = report.pass_rate < threshold
    return report
