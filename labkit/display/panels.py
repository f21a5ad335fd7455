"""The live faces: sliders, and buttons that wait for a person (ipywidgets)."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets
from IPython.display import HTML, display

from labkit.display.face import Face
from labkit.display.meter import meter

if TYPE_CHECKING:
    from labkit.display.meter import Meter
    from labkit.watched import Person

BUDGETS = {
    "steps": ("step budget", 8, 40),
    "tool_calls": ("tool-call budget", 20, 80),
    "tokens": ("token budget", 20_000, 60_000),
}
PATIENCE = 180
WIDE = widgets.Layout(width="420px")
NAMED = {"description_width": "130px"}


def show_meter(panel: "Meter") -> None:
    """The meter's bills, ticking up, under a slider for each budget."""
    sliders = {
        name: _slider(title, value, most)
        for name, (title, value, most) in BUDGETS.items()
    }
    ticks = widgets.Play(min=1, max=len(panel.free.bills), interval=200)
    shown = widgets.IntSlider(
        min=1, max=ticks.max, description="completion", style=NAMED, layout=WIDE
    )
    widgets.jslink((ticks, "value"), (shown, "value"))
    display(widgets.VBox([*sliders.values(), widgets.HBox([shown, ticks])]))
    bills = display(panel_face(panel, 1), display_id=True)

    def redraw(_: Any) -> None:
        bills.update(panel_face(panel, shown.value))

    def rerun(_: Any) -> None:
        panel.runs[1] = panel.within({name: s.value for name, s in sliders.items()})
        redraw(None)

    for slider in sliders.values():
        slider.observe(rerun, "value")
    shown.observe(redraw, "value")
    ticks.playing = True


def panel_face(panel: "Meter", completions: int) -> Face:
    """The bills as they stand after so many completions."""
    return meter(panel.runs, completions)


def _slider(title: str, value: int, most: int) -> widgets.IntSlider:
    return widgets.IntSlider(
        value=value,
        min=1,
        max=most,
        description=title,
        continuous_update=False,
        style=NAMED,
        layout=WIDE,
    )


@contextmanager
def approval_panel() -> "Iterator[Person]":
    """An Approve and a Deny button, and the function that waits for one of them."""
    panel = ApprovalPanel()
    shown = display(panel.box, display_id=True)
    try:
        yield panel.ask
    finally:
        shown.update(HTML(""))  # a saved notebook keeps no button that does nothing


class ApprovalPanel:
    """Two buttons, Approve and Deny; whoever asks waits for one of them."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.clicked = threading.Event()
        self.approved = False
        self.question = widgets.HTML()
        self.approve = widgets.Button(description="Approve", icon="check")
        self.deny = widgets.Button(description="Deny", icon="times")
        for button in self._buttons():
            button.on_click(self._click)
        self.box = widgets.VBox([self.question, widgets.HBox(self._buttons())])
        self.box.layout.display = "none"

    def ask(self, name: str, args: dict[str, Any], reason: str) -> bool:
        """What the person says; called from a thread, which waits for the click.

        Nobody there to click for PATIENCE seconds is a no.
        """
        self.clicked.clear()
        self.loop.call_soon_threadsafe(self._show, name, args, reason)
        return self.clicked.wait(PATIENCE) and self.approved

    def _show(self, name: str, args: dict[str, Any], reason: str) -> None:
        asked = escape(f"The model asks for {name}({json.dumps(args)}): {reason}.")
        self.question.value = f"<p>{asked}</p>"
        self._set_open(True)

    def _click(self, button: widgets.Button) -> None:
        self.approved = button is self.approve
        self._set_open(False)
        self.clicked.set()

    def _set_open(self, is_open: bool) -> None:
        self.box.layout.display = None if is_open else "none"

    def _buttons(self) -> list[widgets.Button]:
        return [self.approve, self.deny]
