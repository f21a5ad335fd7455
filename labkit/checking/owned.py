"""An agent that somebody owns: its Result may be a class of its own."""

from dataclasses import fields
from typing import Any

from labkit.agent import Agent, Result


def with_our_result(names: dict[str, Any]) -> None:
    """Let the `MyAgent` among these names give back a Result of ours.

    An assembled agent has copies of the lab's classes beside it; what counts of them
    is their fields.
    """
    owned = names.get("MyAgent")
    if not isinstance(owned, type) or issubclass(owned, Agent):
        return

    def run(self: Any, question: str) -> Any:
        return _as_result(owned.run(self, question))  # type: ignore[attr-defined]

    names["MyAgent"] = type("MyAgent", (owned,), {"run": run})


def _as_result(found: Any) -> Any:
    """A Result with the fields of what was found, or that itself if it is like none."""
    known = {f.name: getattr(found, f.name) for f in fields(Result) if _has(found, f)}
    alike = known.keys() >= {"question", "answer", "stopped_by"}
    return Result(**known) if alike else found


def _has(found: Any, field: Any) -> bool:
    return hasattr(found, field.name)
