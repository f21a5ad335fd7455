"""fails: has_nothing_against_a_right_run"""

from labkit import EvalReport, numbers_in
from labkit import score as finished


def score(case, result):
    return finished(case, result)


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
