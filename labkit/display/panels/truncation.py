"""The token chart's live face: a slider for how long a tool result may be."""

from typing import TYPE_CHECKING, Any

from labkit.display.panels.controls import show_controls, show_face, slider

if TYPE_CHECKING:
    from labkit.display.chart import CutChart

SHORTEST, LONGEST, STEP = 200, 24_000, 200


def show_truncation(panel: "CutChart") -> None:
    """The chart and its sums, under a slider that cuts the results anew."""
    limit = slider(
        "result_chars (characters)", panel.limit, LONGEST, min=SHORTEST, step=STEP
    )
    show_controls(limit)
    chart, sums = panel.at(panel.limit)
    chart_as, sums_as = show_face(chart), show_face(sums)

    def redraw(_: Any) -> None:
        chart, sums = panel.at(limit.value)
        chart_as(chart)
        sums_as(sums)

    limit.observe(redraw, "value")
