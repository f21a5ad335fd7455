"""A subclass of the given report that shuts the door itself."""

from dataclasses import dataclass

from labkit import EvalReport, numbers_in


@dataclass
class Strict(EvalReport):
    threshold: float = 1.0

    def close(self):
        self.pass_rate = self.passed / self.total if self.total else 0.0
        self.exit_code = 0 if self.total and self.pass_rate >= self.threshold else 1
        return self


class Judge:
    """Collects what speaks against one run."""

    def __init__(self, case, result):
        self.case, self.result = case, result

    def stop(self):
        if self.result.stopped_by not in ("answered", "finished"):
            yield f"no answer, but {self.result.stopped_by}"

    def steps(self):
        if self.result.steps > self.case["max_steps"]:
            yield f"{self.result.steps} steps, {self.case['max_steps']} at most"

    def tools(self):
        for tool in self.case.get("tools", []):
            if all(entry["name"] != tool for entry in self.result.tool_calls):
                yield f"never called {tool}"

    def figures(self):
        for number in self.case.get("numbers", []):
            if number not in numbers_in(self.result.answer):
                yield f"{number} expected, said: {self.result.answer[:40]}"


def score(case, result):
    judge = Judge(case, result)
    parts = (judge.stop, judge.steps, judge.tools, judge.figures)
    return [reason for part in parts for reason in part()]


def evaluate(run, cases, threshold):
    report = Strict(threshold=threshold)
    for case in map(dict, cases):
        try:
            result = run(case)
        except Exception as error:
            report.add(case, [f"{error.__class__.__name__}: {error}"], None)
        else:
            report.add(case, score(case, result), result.stopped_by)
    return report.close()
