"""The meter's live face: bills that tick up, sliders for budgets, boxes for prices."""

from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from labkit.display.meter import LIST_PRICE, Prices, meter
from labkit.display.panels.controls import (
    NAMED,
    WIDE,
    show_controls,
    show_face,
    slider,
)

if TYPE_CHECKING:
    from labkit.display.meter import Meter

BUDGETS = {
    "steps": ("step budget", 8, 40),
    "tool_calls": ("tool-call budget", 20, 80),
    "tokens": ("token budget", 20_000, 60_000),
}
UNIT = "dollars per million tokens"
DEAREST = 10_000.0


def show_meter(panel: "Meter") -> None:
    """The meter's bills, ticking up, under a slider for each budget."""
    budgets = {
        name: slider(title, value, most)
        for name, (title, value, most) in BUDGETS.items()
    }
    ticks = widgets.Play(min=1, max=len(panel.free.bills), interval=200)
    shown = widgets.IntSlider(
        min=1, max=ticks.max, description="completion", style=NAMED, layout=WIDE
    )
    widgets.jslink((ticks, "value"), (shown, "value"))
    into = price_box("price of tokens in", LIST_PRICE.into)
    out = price_box("price of tokens out", LIST_PRICE.out)
    priced = [widgets.HBox([box, widgets.Label(UNIT)]) for box in (into, out)]
    show_controls(*budgets.values(), widgets.HBox([shown, ticks]), *priced)
    redraw_as = show_face(meter(panel.runs, 1))

    def redraw(_: Any = None) -> None:
        prices = Prices(into.value, out.value)
        redraw_as(meter(panel.runs, shown.value, prices))

    def rerun(_: Any) -> None:
        panel.runs[1] = panel.within({name: s.value for name, s in budgets.items()})
        redraw()

    for budget in budgets.values():
        budget.observe(rerun, "value")
    for box in (shown, into, out):
        box.observe(redraw, "value")
    ticks.playing = True


def price_box(title: str, dollars: float) -> widgets.BoundedFloatText:
    """A box for a price; what is below zero, or no number, never leaves it."""
    return widgets.BoundedFloatText(
        value=dollars,
        min=0.0,
        max=DEAREST,
        step=0.05,
        description=title,
        tooltip=f"{title}, {UNIT}",
        style=NAMED,
        layout=widgets.Layout(width="270px"),
    )
