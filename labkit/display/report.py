"""A report for people: as text and as HTML, from the same data."""

from labkit.checking.report import CheckResult, Report
from labkit.display.face import rendered

MARKS = {"passed": "✓", "not_started": "○", "skipped": "-", "broken": "!"}
SHOWN_LINES = 10
LONGEST_LINE = 300
WORDS = {
    "not_started": "not started",
    "skipped": "judged once those above pass",
    "timeout": "ran out of time",
    "memory": "ran out of memory",
    "output": "printed too much",
    "broken": "the lab's own fault, not yours",
}


def as_text(report: Report, timed: bool = True) -> str:
    """The report as lines: the verdicts, the notes, the sum, and how long it took."""
    lines = [line for check in report.checks for line in check_lines(check)]
    lines += [f"note: {visible(note)}" for note in notes(report)]
    if report.printed:
        lines += ["your code printed:", *printed_lines(report)]
    return "\n".join([*lines, summary(report, timed)])


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
    lines = [f"  {visible(line)}" for line in report.printed.splitlines()]
    more = len(lines) - SHOWN_LINES
    return lines[:SHOWN_LINES] + ([f"  … and {more} more lines"] if more > 0 else [])


def mark(check: CheckResult) -> str:
    """The sign of an outcome, told apart by shape."""
    return MARKS.get(check.outcome, "✗")


def summary(report: Report, timed: bool = True) -> str:
    """One line: how many checks passed, and how many points that is."""
    passed = sum(check.passed for check in report.checks)
    points = f"{report.score} of {report.max_score} points"
    count = f"{passed} of {len(report.checks)} checks passed"
    took = f" ({report.seconds:.2f} s)" if timed else ""
    return f"{report.lesson}: {count}, {points}{took}"


def as_html(report: Report) -> str:
    """The report as a self-contained piece of HTML; everything in it is escaped."""
    return rendered(
        "report.html",
        report=report,
        notes=notes(report),
        mark=mark,
        remark=remark,
        visible=visible,
        printed="\n".join(printed_lines(report)),
        summary=summary(report),
    )


def visible(text: str) -> str:
    """The text on one line that is not too long for a screen; see `one_line`."""
    line = one_line(text)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


def one_line(text: str) -> str:
    """The text on one line, without control characters a terminal would obey."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line)


def remark(check: CheckResult) -> str:
    """What the claim line says beside the claim, if anything."""
    if check.outcome in ("passed", "failed"):
        return ""
    return f" ({WORDS.get(check.outcome, check.outcome)})"
