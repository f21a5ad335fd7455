"""How a tool tells the model that a call cannot be carried out."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

Answer = dict[str, Any]
P = ParamSpec("P")

SHOWN_CHARS = 60


class Fault(Exception):
    """A mistake the model can mend: one sentence with the thing and what is valid."""


def tells_faults(tool: Callable[P, Answer]) -> Callable[P, Answer]:
    """`tool`, answering `{"error": sentence}` where it raises a Fault.

    Anything else it raises is a bug or a call that does not fit its signature, and
    stays an exception: neither should look like an answer of the tool.
    """

    @wraps(tool)
    def answered(*args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return tool(*args, **kwargs)
        except Fault as fault:
            return {"error": str(fault)}

    return answered


def shown(value: object) -> str:
    """`value` as a sentence can quote it: on one line and short, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # an int of 5,000 digits, or an object with a broken repr
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 3]}..."
