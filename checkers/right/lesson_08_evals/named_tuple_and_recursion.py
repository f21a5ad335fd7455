"""The cases one after the other, by recursion; the report is a named tuple."""

from typing import NamedTuple

from labkit import numbers_in


class Report(NamedTuple):
    passed: int
    total: int
    pass_rate: float
    failures: dict
    stops: dict
    exit_code: int


def score(case, result):
    def figure_faults(numbers):
        if not numbers:
            return []
        head, *rest = numbers
        near = [n for n in numbers_in(result.answer) if abs(n - head) < 1e-9]
        return ([] if near else [f"no {head}"]) + figure_faults(rest)

    ran = [call["name"] for call in result.tool_calls]
    return [
        *figure_faults(case["numbers"]),
        *(f"{name} is missing" for name in case["tools"] if ran.count(name) == 0),
        *([f"{result.steps} steps"] if case["max_steps"] < result.steps else []),
        *([result.stopped_by] if result.stopped_by.endswith("_budget") else []),
    ]


def judged(run, case):
    try:
        result = run(case)
        return score(case, result), result.stopped_by
    except Exception as error:
        return [repr(error)], None


def evaluate(run, cases, threshold):
    if not cases:
        raise LookupError("not one case to judge")

    def rest(cases, passed, failures, stops):
        if not cases:
            return passed, failures, stops
        head, *tail = cases
        reasons, stop = judged(run, head)
        id, question = head["id"], head["question"]
        if reasons:
            failures = {**failures, id: failures.get(id, []) + reasons}
        stops = {**stops, str(stop): [*stops.get(str(stop), []), question]}
        return rest(tail, passed + (not reasons), failures, stops)

    passed, failures, stops = rest(list(cases), 0, {}, {})
    rate = passed / len(cases)
    return Report(passed, len(cases), rate, failures, stops, [1, 0][rate >= threshold])
