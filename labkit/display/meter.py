"""The meter: what a run costs, completion by completion, with and without budgets."""

from collections.abc import Callable
from dataclasses import dataclass

from labkit.checking.evidence import Evidence
from labkit.display.face import Face, is_live, rendered

# Dollars per million tokens in and out: OpenAI's list price of gpt-4.1-mini, 2025.
PRICE_IN, PRICE_OUT = 0.40, 1.60
PRICED = f"at {PRICE_IN:.2f} dollars per million tokens in, {PRICE_OUT:.2f} out"


@dataclass(frozen=True)
class Bill:
    """What a run has cost after one of its completions."""

    completions: int
    calls: int
    tokens: int
    dollars: float


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
    bills: list[Bill] = []
    calls = tokens = 0
    dollars = 0.0
    replies = [event["turn"] for event in seen.events if event["event"] == "reply"]
    for turn, reply in zip(replies, seen.replies):
        usage = turn["body"].get("usage") or {}
        into, out = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
        calls += len(reply.calls)
        tokens += into + out
        dollars += (into * PRICE_IN + out * PRICE_OUT) / 1e6
        bills.append(Bill(len(bills) + 1, calls, tokens, dollars))
    stop = (seen.result or {}).get("stopped_by")
    bills = bills or [Bill(0, 0, 0, 0.0)]
    ending = "nothing: the lab ended it" if seen.stopped else str(stop)
    return Metered(title, bills, ending, notes)


def meter(runs: list[Metered], completions: int | None = None) -> Face:
    """The runs' bills side by side, as they stand after so many completions."""
    bills = [
        run.bills[-1] if completions is None else run.at(completions) for run in runs
    ]
    rows = [
        ("completions", [str(bill.completions) for bill in bills]),
        ("tool calls", [str(bill.calls) for bill in bills]),
        ("tokens", [f"{bill.tokens:,}" for bill in bills]),
        ("dollars", [f"{bill.dollars:.4f}" for bill in bills]),
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
    html = rendered("meter.html", titles=titles, rows=rows, notes=notes, priced=PRICED)
    return Face("\n".join([*notes, text, PRICED]), html)


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
        from labkit.display.panels import show_meter

        show_meter(self)
