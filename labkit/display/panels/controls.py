"""What the panels share: sliders, boxes and buttons that look alike."""

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
from IPython.display import HTML, display

from labkit.display.face import Face

# Where widgets are gone, as in a saved notebook, this stands in their place.
GONE = "(Run this cell again to have its controls back.)"
WIDE = widgets.Layout(width="min(520px, 100%)")
NAMED = {"description_width": "170px"}


def show_controls(*rows: Any) -> Callable[[], None]:
    """Show widgets one below the other, in an output with nothing else in it.

    What comes back takes them away again.
    """
    box = widgets.VBox(rows)
    bundle = box._repr_mimebundle_() | {"text/plain": GONE}
    shown = display(bundle, raw=True, display_id=True)

    def take_away() -> None:
        shown.update(HTML(""))  # a saved notebook keeps no button that does nothing
        box.close()

    return take_away


def show_face(face: Face) -> Callable[[Face], None]:
    """Show a face, in an output of its own; what comes back shows another there."""
    shown = display(face, display_id=True)
    return lambda other: shown.update(other)


def slider(title: str, value: int, most: int, **how: int) -> widgets.IntSlider:
    """A slider that speaks once it is let go."""
    return widgets.IntSlider(
        value=value,
        max=most,
        description=title,
        continuous_update=False,
        style=NAMED,
        layout=WIDE,
        **{"min": 1, **how},
    )


def button(title: str, icon: str, do: Callable[[], Any]) -> widgets.Button:
    """A button as wide as its words."""
    layout = widgets.Layout(width="auto")
    made = widgets.Button(description=title, icon=icon, layout=layout)
    made.on_click(lambda _: do())
    return made
