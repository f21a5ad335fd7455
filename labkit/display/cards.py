"""What `lab.check`, `lab.hint`, `lab.solution` and `lab.wrong` show."""

from collections.abc import Callable
from dataclasses import dataclass, field

from labkit.checking.report import Report
from labkit.display.card_evidence import Findings
from labkit.display.face import Face, is_live, rendered
from labkit.display.report import OTHER_ORDERS, as_html, as_text

LAST = "This was the last one: lab.assemble() joins what you wrote to an agent."
ONCE_MORE = "Show the solution? It helps more to try once more."


@dataclass(frozen=True)
class Help:
    """What help there is below a card; a method of this gives the face that is shown.

    `part` is the one to be hinted at, "" if all passed; `solutions` are the parts with
    a solution to be seen; `next_hint` says of a part which hint is next, of how many.
    """

    hint: Callable[[str], Face]
    solution: Callable[[str], Face]
    next_hint: Callable[[str], tuple[int, int]]
    part: str = ""
    solutions: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[str]:
        """The same help as calls, for where there are no buttons."""
        calls = ["lab.hint()"] if self.part else []
        return calls + (["lab.solution()"] if self.part in self.solutions else [])


@dataclass(frozen=True)
class Passed:
    """What a passed lesson says: what was learned, and the next notebook, or ""."""

    learned: str = ""
    next: str = ""


class Card(Face):
    """A report as a card; the report itself is kept for whoever wants more of it.

    In a live notebook there are buttons below it, in an output of their own.
    """

    def __init__(
        self, report: Report, text: str, html: str, help: Help | None = None
    ) -> None:
        super().__init__(text, html)
        self.report = report
        self.help = help

    def _ipython_display_(self) -> None:
        if not (is_live() and self.help and (self.help.part or self.help.solutions)):
            raise NotImplementedError  # so that IPython takes the other two faces
        from labkit.display.card_buttons import show_with_buttons

        show_with_buttons(Face(self.text, self.html), self.help)


def card(report: Report, found: Findings, passed: Passed, help: Help) -> Card:
    """The verdicts on what a learner wrote, and where to find help."""
    if found.slip:
        report.notes.append(found.slip)
    calls = help.calls if report.exit_code == 1 else []
    lines = [as_text(report, timed=False, grading=OTHER_ORDERS)]
    if passed.learned:
        lines.append(f"lesson passed: {passed.learned}")
        lines.append(f"next: {passed.next}" if passed.next else LAST)
    lines += [f"more: {' or '.join(calls)}"] if calls else []
    if found.beside:
        lines += ["", "your conversation beside a right one:", found.beside.text]
    html = rendered(
        "card.html",
        report=as_html(report, OTHER_ORDERS, found.about, found.beside),
        learned=passed.learned,
        next=passed.next,
        last=LAST,
        more=calls,
    )
    return Card(report, "\n".join(lines), html, help)


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


def asked_again(how: str) -> Face:
    """The question whether a solution is really wanted; `how` says how to say yes."""
    text = f"{ONCE_MORE} {how}"
    return Face(text, rendered("hint.html", title="", hint=text))


def wrong(text: str, report: Report) -> Card:
    """A wrong answer's code, and under it what the checks say of it."""
    shown, html = as_text(report, timed=False), as_html(report)
    if text:
        shown = f"{text}\n\n{shown}"
        html = rendered("code.html", title="", code=text) + html
    return Card(report, shown, html)
