"""The failure collection: ways in which providers, models and tools really misbehave.

Each stands in `recordings/failures/` with the public report it was seen in, and with
what a right loop does. What only a later lesson can meet waits in `waiting.json`.

Where two reports pull against each other, the lab decides so:

- A message without calls is an answer, whatever its finish_reason says, and a message
  with calls is none. To ask again when a call was announced but not sent (B12), or
  written into the text (M09, M11), needs a sign that the job is done: lesson 9.
- Output that was cut off ends the run (B10, B17). Asking for a shorter call is as
  right; running what is left of the call is not, valid JSON or not.
- Arguments are read as they are or handed back with what is wrong. Only an empty text
  and an object that a server has parsed already are taken for what they say (A05,
  A08): there the model cannot do better. A fence, two objects glued together or a
  number in quotes are the model's to mend, and money is never guessed (A02, A15).
- What was said is sent back as it came, unknown fields included (H16, H17, H18), but
  for what a strict server refuses in every later request: malformed arguments, names,
  ids that are missing or stand twice (H14, H15, C08, C10).
- A call is not refused because its id was seen before (C11): honest servers number
  their calls anew. What keeps money from moving twice is the sum for the order; the
  same part of a price twice needs a journal, lesson 15.
- A 429, a 5xx and an error inside a 200 are asked again, at most `attempts` times
  (H01, H06, H20, B01); a spent quota and a bad key are not (H04, H11). How long to
  wait is lesson 11, and so is to give up where nobody would wait as long (H03).
- A budget of calls may be looked at before each call or after each message (C16).
- Text for the customer stays the model's (M13): stripping is for whoever shows it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from labkit.errors import LabError
from labkit.lab import lab_folder, unknown
from labkit.replay import Recording, read_recording
from labkit.shop import facts_for

# From the outside in: HTTP, body, message, call, arguments, stream, tool, behaviour.
LAYERS = "HBMCASTV"


@dataclass(frozen=True)
class Waiting:
    """A failure that part 1 cannot meet: the lesson it waits for, and its report."""

    id: str
    title: str
    lesson: str
    source: str


def failures(seed: int = 0, only: str | None = None) -> list[Recording]:
    """The failures for the shop of a seed, or the one with this id or name.

    Raises LabError if there is none of them, or if it waits.
    """
    paths = (lab_folder() / "recordings" / "failures").glob("*.jsonl")
    facts = facts_for(seed)
    found = sorted((read_recording(path, facts, seed) for path in paths), key=_place)
    if only is None:
        return found
    chosen = [
        failure for failure in found if only in (failure.header["id"], failure.name)
    ]
    if not chosen:
        raise LabError(_none(only, found))
    return chosen


def waiting() -> list[Waiting]:
    """The failures that wait for a later lesson, in that lesson's order."""
    text = (Path(__file__).parent / "waiting.json").read_text(encoding="utf-8")
    return [Waiting(**fields) for fields in json.loads(text)]


def _place(failure: Recording) -> tuple[int, str]:
    id = failure.header["id"]
    return LAYERS.find(id[0]), id


def _none(only: str, found: list[Recording]) -> str:
    for entry in waiting():
        if entry.id == only:
            return f"The failure {only} waits for {entry.lesson}; leave out --only."
    ids = [failure.header["id"] for failure in found]
    if near := [id for id in ids if only[:1] == id[:1]]:
        return f"There is no failure {only!r}; there are: {', '.join(near)}."
    return unknown("failure", only, [failure.name for failure in found])
