"""You are the model: what it receives, while the agent waits for your reply."""

from labkit.checking.evidence import read_message
from labkit.display.conversation import (
    Shown,
    conversation,
    message_lines,
    sentence,
)
from labkit.display.face import Face, rendered
from labkit.display.transcript import Entry, raw_requests
from labkit.quantity import quantity
from labkit.your_turn import YourTurn

QUESTION = "What does my order NW-1041 weigh?"
# Whoever has to answer reads more of a result than whoever looks on.
ROOM, LONGEST_JSON = 4.0, 8000
NO_BUTTONS = (
    "You are the model: in a live notebook, this cell has buttons to answer with. "
    "Elsewhere, give a question and a list of replies: lab.be_the_model(MyAgent, "
    '"Where is order NW-1041?", [{"tool": "lookup_order", "order_id": "NW-1041"}, '
    '"It is on its way."])'
)


class YourTurnPanel(Face):
    """The conversation, and under it, in a live notebook, what a reply is made with."""

    def __init__(self, turn: YourTurn) -> None:
        face = your_turn(turn)
        super().__init__(face.text, face.html)
        self.turn = turn

    def _ipython_display_(self) -> None:
        from labkit.display.panels.your_turn import show_your_turn

        show_your_turn(self.turn)


def without_buttons() -> Face:
    """How to answer in the model's place where nothing can be clicked."""
    return sentence(NO_BUTTONS)


def your_turn(turn: YourTurn) -> Face:
    """What the model receives now; the whole conversation once the agent stopped."""
    if not turn.waits:
        return conversation(turn.seen, turn.notes)
    again, new = _received(turn)
    number = len(turn.seen.requests)
    notes = [f"note: {note}" for note in turn.notes]
    title = (
        f"Request {number}: {quantity(len(again + new), 'message')} for you, the model"
    )
    offer = f"Tools on offer: {', '.join(turn.seen.requests[-1].tools)}"
    groups = [("sent again:", again), ("new:", new)] if again else [("", new)]
    lines = [*notes, title]
    for heading, entries in groups:
        lines += [heading] if heading else []
        for entry in entries:
            lines += message_lines(
                f"{entry.number} {entry.message.role}", entry.message
            )
    html = rendered(
        "your_turn.html",
        notes=notes,
        title=title,
        groups=groups,
        offer=offer,
        shown=Shown(ROOM, LONGEST_JSON),
    )
    return Face("\n".join([*lines, offer]), html)


def _received(turn: YourTurn) -> tuple[list[Entry], list[Entry]]:
    """The messages of the last request: those that the one before had, and the new."""
    *_, before, last = [[], *raw_requests(turn.seen)]
    entries = [
        Entry(number, number, read_message(message), message)
        for number, message in enumerate(last, 1)
    ]
    return entries[: len(before)], entries[len(before) :]
