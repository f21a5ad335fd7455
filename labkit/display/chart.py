"""Tokens per request, of several runs: a Vega-Lite chart with a text twin."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from labkit.checking.evidence import Evidence, Request
from labkit.display.conversation import sentence
from labkit.display.face import Face, is_live, is_text_only

if TYPE_CHECKING:
    from labkit.watched import Watched

TITLE = "Tokens of the messages in each request, estimated at four characters each"
BAR = 30


class Chart(Face):
    """A chart where Vega-Lite is shown, elsewhere a table with bars of characters."""

    def __init__(self, text: str, spec: dict[str, Any]) -> None:
        super().__init__(text, "")
        self.spec = spec

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if is_text_only():
            return {"text/plain": self.text}
        return {"text/plain": self.text, "application/vnd.vegalite.v5+json": self.spec}


class CutChart(Chart):
    """A run's tokens with results cut and uncut; in a live notebook a slider cuts.

    `within` gives the run with results of at most so many characters; `limit` is how
    many at first.
    """

    def __init__(
        self, uncut: "Watched", within: "Callable[[int], Watched]", limit: int
    ) -> None:
        self.uncut = uncut
        self.within = within
        self.limit = limit
        chart, _ = self.at(limit)
        super().__init__(chart.text, chart.spec)

    def at(self, limit: int) -> tuple[Chart, Face]:
        """The chart with results cut to so many characters, and the sums in words."""
        cut = self.within(limit)
        runs = {"cut": cut.seen, "uncut": self.uncut.seen}
        return tokens_chart(runs, cut.notes), sums(limit, runs)

    def _ipython_display_(self) -> None:
        if not is_live():
            raise NotImplementedError  # so that IPython takes the other two faces
        from labkit.display.panels.truncation import show_truncation

        show_truncation(self)


def tokens_chart(runs: dict[str, Evidence], notes: list[str]) -> Chart:
    """The estimated tokens of each request, for each run by its name."""
    tokens = {name: list(map(_tokens, seen.requests)) for name, seen in runs.items()}
    lines = [*(f"note: {note}" for note in notes), TITLE, *_text_lines(tokens)]
    return Chart("\n".join(lines), _spec(tokens, notes))


def sums(limit: int, runs: dict[str, Evidence]) -> Face:
    """How many tokens all requests of each run sent, in a sentence."""
    told = "; ".join(
        f"{name}, {len(seen.requests)} requests send "
        f"{sum(map(_tokens, seen.requests)):,} tokens"
        for name, seen in runs.items()
    )
    return sentence(f"Results of at most {limit:,} characters: {told}.")


def _tokens(request: Request) -> int:
    """Four characters to a token; only what the conversation adds, not the schemas."""
    calls = [call for message in request.messages for call in message.calls]
    characters = sum(len(message.text) for message in request.messages)
    characters += sum(len(call.name) + len(call.arguments) for call in calls)
    return characters // 4 + 1


def _text_lines(tokens: dict[str, list[int]]) -> list[str]:
    most = max((n for counts in tokens.values() for n in counts), default=1)
    width = max(map(len, tokens))
    return [
        f"request {number}  {name:<{width}}  {counts[number - 1]:>7,}  "
        + "█" * max(1, round(counts[number - 1] * BAR / most))
        for number in range(1, max(map(len, tokens.values())) + 1)
        for name, counts in tokens.items()
        if number <= len(counts)
    ]


def _spec(tokens: dict[str, list[int]], notes: list[str]) -> dict[str, Any]:
    values = [
        {"request": number, "tokens": count, "results": name}
        for name, counts in tokens.items()
        for number, count in enumerate(counts, 1)
    ]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": TITLE, "subtitle": [f"note: {note}" for note in notes]},
        "description": TITLE,
        "width": 420,
        "height": 220,
        "data": {"values": values},
        "mark": {"type": "line", "point": {"size": 70}},
        "encoding": {
            "x": {
                "field": "request",
                "type": "ordinal",
                "title": "request (number)",
                "axis": {"labelAngle": 0},
            },
            "y": {
                "field": "tokens",
                "type": "quantitative",
                "title": "tokens sent (estimate)",
            },
            "color": _by("results"),
            "strokeDash": _by("results"),
        },
    }


def _by(field: str) -> dict[str, str]:
    return {"field": field, "type": "nominal", "title": "tool results"}
