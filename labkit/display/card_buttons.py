"""The buttons below a check card: the next hint, and the solution (ipywidgets)."""

from collections.abc import Callable
from functools import partial

import ipywidgets as widgets

from labkit.display.cards import Help, asked_again
from labkit.display.face import Face
from labkit.display.panels.controls import button, show_controls, show_face


def show_with_buttons(card: Face, help: Help) -> None:
    """The card, the buttons, and what they show: three outputs, one after the other.

    So the first and the last are whole in a saved notebook, where no button works.
    """
    show_face(card)
    buttons = HelpButtons(help)
    show_controls(widgets.HBox(buttons.all))
    buttons.show_as = show_face(Face("", ""))


class HelpButtons:
    """A button for the next hint, and one for each solution that may be seen."""

    def __init__(self, help: Help) -> None:
        self.help = help
        self.shown: list[Face] = []
        self.show_as: Callable[[Face], None] = lambda face: None
        self.hint = button("Next hint", "question", self._show_hint)
        self.solutions = {
            part: button(f"Solution of {part}", "eye", partial(self._ask, part))
            for part in help.solutions
        }
        if help.part:
            self.hint.tooltip = f"Show the next hint for {help.part}"

    @property
    def all(self) -> list[widgets.Button]:
        """The buttons that there are for this card."""
        hints = [self.hint] if self.help.part else []
        return [*hints, *self.solutions.values()]

    def _show_hint(self) -> None:
        number, of = self.help.next_hint(self.help.part)
        self._show(self.help.hint(self.help.part))
        if number == of:
            self.hint.description = "No more hints"
            self.hint.disabled = True

    def _ask(self, part: str) -> None:
        """The first click asks whether it is meant, the second one shows the code."""
        clicked = self.solutions[part]
        if clicked.description.startswith("Solution"):
            clicked.description = f"Yes, show the solution of {part}"
            self._draw([*self.shown, asked_again("Click again to see it.")])
        else:
            clicked.disabled = True
            self._show(self.help.solution(part))

    def _show(self, face: Face) -> None:
        self.shown.append(face)
        self._draw(self.shown)

    def _draw(self, faces: list[Face]) -> None:
        """Show these faces, one under the other."""
        text = "\n\n".join(face.text for face in faces)
        self.show_as(Face(text, "".join(face.html for face in faces)))
