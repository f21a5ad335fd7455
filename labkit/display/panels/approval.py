"""Approve and Deny: two buttons, and a run that waits for one of them."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from labkit.display.panels.controls import button, show_controls
from labkit.display.report import visible

if TYPE_CHECKING:
    from labkit.watched import Person

PATIENCE = 180


@contextmanager
def approval_panel() -> "Iterator[Person]":
    """An Approve and a Deny button, and the function that waits for one of them."""
    panel = ApprovalPanel()
    take_away = show_controls(panel.box)
    try:
        yield panel.ask
    finally:
        take_away()


class ApprovalPanel:
    """Two buttons, Approve and Deny; whoever asks waits for one of them."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.clicked = threading.Event()
        self.approved = False
        self.question = widgets.HTML()
        self.approve = button("Approve", "check", lambda: self._decide(True))
        self.deny = button("Deny", "times", lambda: self._decide(False))
        buttons = widgets.HBox([self.approve, self.deny])
        self.box = widgets.VBox([self.question, buttons])
        self.box.layout.display = "none"

    def ask(self, name: str, args: dict[str, Any], reason: str) -> bool:
        """What the person says; called from a thread, which waits for the click.

        Nobody there to click for PATIENCE seconds is a no.
        """
        self.clicked.clear()
        self.loop.call_soon_threadsafe(self._show, name, args, reason)
        clicked = self.clicked.wait(PATIENCE)
        self.loop.call_soon_threadsafe(self._set_open, False)
        return clicked and self.approved

    def _show(self, name: str, args: dict[str, Any], reason: str) -> None:
        self.question.value = question(name, args, reason)
        self._set_open(True)
        self.deny.focus()  # Enter without reading is a no

    def _decide(self, approved: bool) -> None:
        self.approved = approved
        self._set_open(False)
        self.clicked.set()

    def _set_open(self, is_open: bool) -> None:
        self.box.layout.display = None if is_open else "none"


def question(name: str, args: dict[str, Any], reason: str) -> str:
    """What a person is asked, as HTML; the model's words in it are escaped."""
    call = escape(visible(f"{name}({json.dumps(args)})"))
    return (
        f"<p><strong>The run waits for you.</strong> The model asks for "
        f"<code>{call}</code><br>The policy says no: {escape(visible(reason))}. "
        f"May it run all the same? Without a click it is denied after "
        f"{PATIENCE // 60} minutes.</p>"
    )
