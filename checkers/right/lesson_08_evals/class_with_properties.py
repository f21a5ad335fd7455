"""A report of one's own; rate and exit code are worked out when they are read."""

import re
from collections import defaultdict


class Report:
    def __init__(self, threshold):
        self.threshold = threshold
        self.outcomes = []
        self.stops = defaultdict(list)

    @property
    def total(self):
        return len(self.outcomes)

    @property
    def passed(self):
        return sum(1 for _, reasons in self.outcomes if reasons == [])

    @property
    def pass_rate(self):
        return self.passed / max(self.total, 1)

    @property
    def failures(self):
        found = defaultdict(list)
        for id, reasons in self.outcomes:
            if reasons:
                found[id] += reasons
        return found

    @property
    def exit_code(self):
        return int(not self.outcomes or self.pass_rate < self.threshold)


def figures(text):
    for match in re.finditer(r"\d+(?:,\d{3})*(?:\.\d+)?", text):
        yield float(match[0].replace(",", ""))


def score(case, result):
    against = []
    if result.stopped_by not in {"answered", "finished"}:
        against += ["ended by " + str(result.stopped_by)]
    for wanted in case["numbers"]:
        if min((abs(wanted - n) for n in figures(result.answer)), default=1) > 0.01:
            against += [f"where is {wanted}?"]
    ran = " ".join(call["name"] for call in result.tool_calls).split()
    against += [f"tool {name!r} not used" for name in case["tools"] if name not in ran]
    against += ["too slow: " + str(result.steps)] * (result.steps > case["max_steps"])
    return against


def evaluate(run, cases, threshold):
    report = Report(threshold)
    for case in cases:
        try:
            result = run(case)
        except Exception as error:
            report.outcomes.append((case["id"], [f"crashed: {error!r}"]))
            report.stops["crashed"].append(case["question"])
            continue
        report.outcomes.append((case["id"], score(case, result)))
        report.stops[result.stopped_by].append(case["question"])
    return report
