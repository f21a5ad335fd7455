"""What `lab.check`, `lab.hint`, `lab.solution` and `lab.wrong` show."""

from labkit.checking.report import Report
from labkit.display.face import Face, rendered
from labkit.display.report import as_html, as_text


class Card(Face):
    """A report as a card; the report itself is kept for whoever wants more of it."""

    def __init__(self, report: Report, text: str, html: str) -> None:
        super().__init__(text, html)
        self.report = report


def card(report: Report) -> Card:
    """The verdicts on what a learner wrote, and where to find help."""
    text, html = as_text(report, timed=False), as_html(report)
    if report.exit_code == 1:
        text += "\nmore: lab.hint()"
        html += "<p>more: <code>lab.hint()</code></p>"
    return Card(report, text, html)


def hint(part: str, number: int, ladder: list[str]) -> Face:
    """One hint of a ladder, and whether there is another."""
    last = number == len(ladder)
    more = "lab.solution() shows the finished code" if last else "lab.hint() goes on"
    title = f"Hint {number} of {len(ladder)} for {part} ({more})"
    html = rendered("hint.html", title=title, hint=ladder[number - 1])
    return Face(f"{title}\n{ladder[number - 1]}", html)


def code(text: str, title: str) -> Face:
    """Code under a title."""
    return Face(f"{title}\n\n{text}", rendered("code.html", title=title, code=text))


def wrong(text: str, report: Report) -> Card:
    """A wrong answer's code, and under it what the checks say of it."""
    shown, html = as_text(report, timed=False), as_html(report)
    if text:
        shown = f"{text}\n\n{shown}"
        html = rendered("code.html", title="", code=text) + html
    return Card(report, shown, html)
