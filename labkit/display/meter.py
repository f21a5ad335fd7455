"""The meter: what a run costs, completion by completion, with and without budgets."""

from collections.abc import Callable
from dataclasses import dataclass

from labkit.checking.evidence import Evidence
from labkit.display.face import Face, is_live, rendered


@dataclass(frozen=True)
class Prices:
    """Dollars per million tokens, for those that go in and those that come out."""

    into: float
    out: float

    def of(self, bill: "Bill") -> float:
        """What these tokens cost, in dollars."""
        return (bill.tokens_in * self.into + bill.tokens_out * self.out) / 1e6

    def __str__(self) -> str:
        """The prices and whose they are, in a line."""
        whose = LIST_SOURCE if self == LIST_PRICE else f"yours; {LIST_TEXT}"
        figures = f"{_money(self.into)} dollars per million tokens in, "
        return f"at {figures}{_money(self.out)} out ({whose})"


LIST_PRICE = Prices(0.40, 1.60)
LIST_SOURCE = "OpenAI's list price of gpt-4.1-mini, 2025"
LIST_TEXT = f"{LIST_SOURCE}: {LIST_PRICE.into:.2f} and {LIST_PRICE.out:.2f}"


@dataclass(frozen=True)
class Bill:
    """What a run has cost after one of its completions."""

    completions: int
    calls: int
    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True)
class Metered:
    """A run's bills, one after each completion, and how it ended."""

    title: str
    bills: list[Bill]
    ending: str
    notes: list[str]

    def at(self, completions: int) -> Bill:
        """The bill after so many completions, or the last one."""
        return self.bills[min(completions, len(self.bills)) - 1]


def metered(title: str, seen: Evidence, notes: list[str]) -> Metered:
    """The bills of a run; a reply without usage is billed as nothing."""
    bills = [Bill(0, 0, 0, 0)]
    replies = [event["turn"] for event in seen.events if event["event"] == "reply"]
    for turn, reply in zip(replies, seen.replies):
        usage, last = turn["body"].get("usage") or {}, bills[-1]
        bill = Bill(
            last.completions + 1,
            last.calls + len(reply.calls),
            last.tokens_in + (usage.get("prompt_tokens") or 0),
            last.tokens_out + (usage.get("completion_tokens") or 0),
        )
        bills.append(bill)
    stop = (seen.result or {}).get("stopped_by")
    ending = "nothing: the lab ended it" if seen.stopped else str(stop)
    return Metered(title, bills[1:] or bills, ending, notes)


def meter(
    runs: list[Metered], completions: int | None = None, prices: Prices = LIST_PRICE
) -> Face:
    """The runs' bills side by side, as they stand after so many completions."""
    bills = [
        run.bills[-1] if completions is None else run.at(completions) for run in runs
    ]
    rows = [
        ("completions", [str(bill.completions) for bill in bills]),
        ("tool calls", [str(bill.calls) for bill in bills]),
        ("tokens", [f"{bill.tokens:,}" for bill in bills]),
        ("dollars", [_money(prices.of(bill), 4) for bill in bills]),
        ("stopped by", [_ending(run, bill) for run, bill in zip(runs, bills)]),
    ]
    titles = [run.title for run in runs]
    notes = [f"note: {note}" for run in runs for note in run.notes]
    lines = [("", titles), *rows]
    width = max(len(cell) for _, cells in lines for cell in cells)
    text = "\n".join(
        f"{name:<12}" + "".join(f"  {cell:>{width}}" for cell in cells)
        for name, cells in lines
    )
    html = rendered("meter.html", titles=titles, rows=rows, notes=notes, priced=prices)
    return Face("\n".join([*notes, text, str(prices)]), html)


def _money(dollars: float, places: int = 2) -> str:
    return f"{dollars:,.{places}f}"


def _ending(run: Metered, bill: Bill) -> str:
    return run.ending if bill == run.bills[-1] else "(goes on)"


class Meter(Face):
    """Two bills; in a live notebook they tick up, and sliders set the budgets.

    `free` is the run without budgets, `within` gives the run under these budgets.
    """

    def __init__(
        self, free: Metered, within: Callable[[dict[str, int]], Metered]
    ) -> None:
        self.free = free
        self.within = within
        self.runs = [free, within({})]
        face = meter(self.runs)
        super().__init__(face.text, face.html)

    def _ipython_display_(self) -> None:
        if not is_live():
            raise NotImplementedError  # so that IPython takes the other two faces
        from labkit.display.panels.meter import show_meter

        show_meter(self)
