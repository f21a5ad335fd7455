"""A report for people: as text and as HTML, from the same data."""

from collections.abc import Iterator

from labkit.checking.report import CheckResult, Report
from labkit.display.face import Face, rendered

MARKS = {"passed": "✓", "not_started": "○", "skipped": "-", "broken": "!"}
SHOWN_LINES = 10
LONGEST_LINE = 300
READ_AHEAD = 10_000  # of a text that may be endless
WORDS = {
    "not_started": "not started",
    "skipped": "judged once those above pass",
    "timeout": "ran out of time",
    "memory": "ran out of memory",
    "output": "printed too much",
    "broken": "the lab's own fault, not yours",
}
# What stands beside the sign where there is room for a word of its own.
LABELS = WORDS | {
    "skipped": "waits",
    "error": "raised an error",
    "timeout": "out of time",
    "memory": "out of memory",
    "broken": "the lab's fault",
}
OTHER_ORDERS = "grading uses other orders"


def as_text(report: Report, timed: bool = True, grading: str = "") -> str:
    """The report as lines: the verdicts, the notes, the sum, and how long it took.

    `grading` is what the sum says of grading.
    """
    lines = [line for check in report.checks for line in check_lines(check)]
    lines += [f"note: {visible(note)}" for note in notes(report)]
    if report.printed:
        lines += ["your code printed:", *printed_lines(report)]
    return "\n".join([*lines, summary(report, timed, grading)])


def check_lines(check: CheckResult) -> list[str]:
    """One verdict in at most four lines: claim, seen, expected, what to try."""
    lines = [f"{mark(check)} {check.claim}{remark(check)}"]
    texts = (("", check.seen), ("expected: ", check.expected), ("try: ", check.try_))
    return lines + [f"  {label}{visible(text)}" for label, text in texts if text]


def notes(report: Report) -> list[str]:
    """The notes that say more than the verdicts do."""
    told = tuple(check.seen for check in report.checks)
    return [n for n in report.notes if not any(seen.startswith(n) for seen in told)]


def printed_lines(report: Report) -> list[str]:
    """What the learner's code printed, its first lines."""
    lines = report.printed.splitlines()
    more = len(lines) - SHOWN_LINES
    shown = [f"  {visible(line)}" for line in lines[:SHOWN_LINES]]
    return shown + ([f"  … and {more} more lines"] if more > 0 else [])


def mark(check: CheckResult) -> str:
    """The sign of an outcome, told apart by shape."""
    return MARKS.get(check.outcome, "✗")


def label(check: CheckResult) -> str:
    """The word for an outcome."""
    return LABELS.get(check.outcome, check.outcome)


def summary(report: Report, timed: bool = True, grading: str = "") -> str:
    """One line: how many checks passed, and how many points that is."""
    passed = sum(check.passed for check in report.checks)
    points = f"{report.score} of {report.max_score} points"
    count = f"{passed} of {len(report.checks)} checks passed"
    took = f" ({report.seconds:.2f} s)" if timed else ""
    more = f"; {grading}" if grading else ""
    return f"{report.lesson}: {count}, {points}{more}{took}"


def as_html(
    report: Report, grading: str = "", about: str = "", beside: Face | None = None
) -> str:
    """The report as a self-contained piece of HTML; everything in it is escaped.

    What is to be mended first stands open. `beside` is folded into the check with the
    id `about`.
    """
    return rendered(
        "report.html",
        report=report,
        notes=notes(report),
        mark=mark,
        label=label,
        facts=facts,
        visible=visible,
        printed="\n".join(line.strip() for line in printed_lines(report)),
        summary=summary(report, grading=grading),
        first=next(first_to_mend(report), None),
        about=about,
        beside=beside,
    )


def first_to_mend(report: Report) -> Iterator[CheckResult]:
    """The checks that did not pass and wait for no other, in their order."""
    return (c for c in report.checks if c.outcome not in ("passed", "skipped"))


def facts(check: CheckResult) -> list[tuple[str, str]]:
    """What was seen, expected and may be tried, as far as there is any."""
    texts = (("seen", check.seen), ("expected", check.expected), ("try", check.try_))
    return [(name, visible(text)) for name, text in texts if text]


def visible(text: str) -> str:
    """The text on one line that is not too long for a screen; see `one_line`."""
    line = one_line(text[:READ_AHEAD])
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


def one_line(text: str) -> str:
    """The text on one line, without control characters a terminal would obey."""
    line = " ".join(text.split())
    if line.isprintable():  # as nearly all are
        return line
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line)


def remark(check: CheckResult) -> str:
    """What the claim line says beside the claim, if anything."""
    if check.outcome in ("passed", "failed"):
        return ""
    return f" ({WORDS.get(check.outcome, check.outcome)})"
