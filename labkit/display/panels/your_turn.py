"""You are the model, live: tools to ask for, fields for arguments, a box for text."""

from html import escape
from typing import Any

import ipywidgets as widgets

from labkit.agents import KITS
from labkit.display.panels.call_fields import CallFields
from labkit.display.panels.controls import (
    NAMED,
    WIDE,
    button,
    show_controls,
    show_face,
)
from labkit.display.report import visible
from labkit.display.your_turn import your_turn
from labkit.your_turn import AGENT, YourTurn

WAITS = (
    "<strong>The agent waits for your reply.</strong> Ask for a tool, or answer in "
    "words. Each reply is one step."
)
STOPPED = (
    "<strong>The agent has stopped</strong>; the last line above says why. Take your "
    "last reply back, or begin a new conversation."
)


class Panel:
    """What a reply is made with; each click on Send takes one step of the agent."""

    def __init__(self, turn: YourTurn) -> None:
        self.turn = turn
        self.calls: list[Any] = []
        self.fields = CallFields(KITS[AGENT].tools)
        self.status = widgets.HTML()
        self.collected = widgets.HTML()
        self.send = button("Send this call", "paper-plane", self.send_calls)
        self.add = button("Add another call", "plus", self.add_call)
        self.answer = _box("answer", "Text for the customer", 2)
        self.say = button("Send the answer", "comment", self.send_answer)
        self.back = button("Take back", "undo", self.take_back)
        self.question = _box("question", "What the customer asks", 2)
        self.question.value = turn.question
        self.anew = button("New conversation", "refresh", self.begin)
        self.reply = widgets.VBox(
            [
                self.fields.box,
                self.collected,
                widgets.HBox([self.send, self.add], layout=_beside_names()),
                widgets.HTML("Or answer in words"),
                self.answer,
                widgets.HBox([self.say], layout=_beside_names()),
            ]
        )

    def show(self) -> None:
        """The conversation, and the controls in an output of their own below it."""
        self.redraw_as = show_face(your_turn(self.turn))
        ends = widgets.HBox([self.anew, self.back], layout=_beside_names())
        again = widgets.HTML("Begin again")
        show_controls(self.status, self.reply, again, self.question, ends)
        self._update()

    def send_calls(self) -> None:
        """The calls so far and the one in the fields, as one reply."""
        calls, self.calls = [*self.calls, self.fields.call()], []
        self.turn.reply(calls)
        self.fields.clear()
        self._redraw()

    def add_call(self) -> None:
        """Keep the call in the fields, and make room for another one."""
        self.calls.append(self.fields.call())
        self.fields.clear()
        self._update()

    def send_answer(self) -> None:
        """The text in the box, as a reply without calls."""
        self.turn.reply(self.answer.value)
        self.answer.value = ""
        self._redraw()

    def take_back(self) -> None:
        """Without the last call that was added, or without the last reply."""
        if self.calls:
            self.calls.pop()
            self._update()
        else:
            self.turn.take_back()
            self._redraw()

    def begin(self) -> None:
        """A new conversation about the question in the box."""
        self.calls = []
        self.turn.begin(self.question.value)
        self._redraw()

    def _redraw(self) -> None:
        self.redraw_as(your_turn(self.turn))
        self._update()

    def _update(self) -> None:
        """Show what can be done now, and nothing else."""
        count = len(self.calls)
        self.status.value = WAITS if self.turn.waits else STOPPED
        self.reply.layout.display = None if self.turn.waits else "none"
        self.collected.value = _collected(self.calls)
        self.send.description = f"Send {count + 1} calls" if count else "Send this call"
        self.answer.disabled = self.say.disabled = count > 0
        self.back.disabled = not (count or self.turn.replies)


def show_your_turn(turn: YourTurn) -> None:
    """Draw a conversation, and let whoever is there answer in the model's place."""
    Panel(turn).show()


def _collected(calls: list[Any]) -> str:
    """The calls that are kept for this message, as HTML."""
    if not calls:
        return ""
    said = [escape(visible(f"{c['tool']}({c['arguments']})")) for c in calls]
    items = "".join(f"<li><code>{text}</code></li>" for text in said)
    return f"These calls wait to be sent with the one in the fields:<ol>{items}</ol>"


def _box(title: str, what: str, rows: int) -> widgets.Textarea:
    return widgets.Textarea(
        description=title, placeholder=what, rows=rows, style=NAMED, layout=WIDE
    )


def _beside_names() -> widgets.Layout:
    """Room on the left for what stands there as names of the fields above."""
    return widgets.Layout(margin="0 0 0 176px", flex_flow="row wrap")
