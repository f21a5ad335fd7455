"""Writing a recording: what a model was asked and what it said, kept as it comes."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labkit.errors import LabError
from labkit.lab import recording_files
from labkit.redaction import json_holds_key
from labkit.replay.recording import Turn

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,60}")
# A shorter key is a placeholder, such as a local server takes: it may be a plain word.
SHORTEST_KEY = 12


class Recorder:
    """Stands before whatever answers requests, and keeps these and the turns."""

    def __init__(self, ask: Callable[[dict[str, Any]], Turn]) -> None:
        self.ask = ask
        self.requests: list[dict[str, Any]] = []
        self.turns: list[Turn] = []

    def answer(self, request: dict[str, Any]) -> Turn:
        """The turn that answers this request, kept with it."""
        turn = self.ask(request)
        self.requests.append(request)
        self.turns.append(turn)
        return turn


def free_path(name: str, folder: Path) -> Path:
    """Where a recording of this name will be written.

    Raises LabError if it is no plain name, or if there is a recording of that name.
    """
    path = folder / f"{name}.jsonl"
    if not NAME.fullmatch(name):
        raise LabError(
            f"{name!r} is no name for a recording; use letters, digits, _ and -."
        )
    if name in (file.stem for file in recording_files()):
        raise LabError(f"The lab has a recording {name!r}; choose another name.")
    if path.exists():
        raise LabError(f"{path} is there already; choose another name.")
    return path


def write_recording(
    path: Path, header: dict[str, Any], turns: list[Turn], key: str = ""
) -> None:
    """Write a new file, a line for the header and one for each turn.

    Raises LabError, and writes nothing, if the key or anything like one is in it.
    """
    text = "".join(f"{_line(value)}\n" for value in (header, *turns))
    if (len(key) >= SHORTEST_KEY and key in text) or json_holds_key(text):
        raise LabError(
            "There is something like an API key in the conversation, so nothing was "
            "recorded; ask without it."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


def _line(value: Any) -> str:
    """The JSON of a line in which nothing looks like a placeholder: those are ours."""
    return json.dumps(value).replace("{{", "{\\u007b")
