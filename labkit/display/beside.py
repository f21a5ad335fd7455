"""A run beside a right one, opened where they first differ."""

from itertools import islice

from labkit.checking.evidence import Evidence
from labkit.display.alignment import Pair, Row, most_requests, pairs
from labkit.display.face import Face, rendered
from labkit.display.shown import clipped, legible, short_line

LONG = 600
LONG_LINE = 200
MOST_ROWS = 20
MOST_LATER = 8


def beside(seen: Evidence, right: Evidence) -> Face | None:
    """The two runs side by side, request by request; None where they do not differ.

    The first request that differs is open and its difference marked; what comes before
    and after is folded. The text has that difference alone.
    """
    if not (seen.requests or right.requests):
        return None
    before: list[Pair] = []
    rest = pairs(seen, right)
    for pair in rest:
        if pair.first:
            break
        before.append(pair)
    else:
        return None
    html = rendered(
        "beside.html",
        before=before,
        pair=_short(pair),
        after=[_short(later) for later in islice(rest, MOST_LATER)],
        more=max(0, most_requests(seen, right) - len(before) - 1 - MOST_LATER),
        words=_words,
    )
    return Face("\n".join(_lines(pair)), html)


def _lines(pair: Pair) -> list[str]:
    """The first difference of a request in three lines."""
    row = pair.first
    assert row is not None
    return [
        f"beside a right run, the first difference: {pair.title}, {row.name}",
        f"  yours: {short_line(_told(row, row.mine), LONG_LINE)}",
        f"  right: {short_line(_told(row, row.right), LONG_LINE)}",
    ]


def _told(row: Row, words: str | None) -> str:
    missing = "no such request" if row.name == "sent" else "no such message"
    return missing if words is None else words


def _words(words: str | None) -> str:
    return "(nothing here)" if words is None else legible(clipped(words, LONG))


def _short(pair: Pair) -> Pair:
    """A request with its first rows alone; its first difference is among them."""
    return Pair(pair.title, pair.rows[:MOST_ROWS], pair.alike)
