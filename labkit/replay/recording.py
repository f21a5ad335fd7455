"""The recording format: a header line, then one line per turn of the model."""

import json
import random
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.errors import LabError
from labkit.replay.failure import FIELDS, failure_faults

Turn = dict[str, Any]
HEADER = {"format", "title", "origin", "source", "question"} | {
    "model",
    "model_answered",
    "server",
    "recorded_at",
    "sampling",
}
TURN = {"body", "status", "headers", "sse", "end", "delay", "when", "repeat"}
LONGEST_DELAY = 600
RESULTS = ("ok", "error", "useless_error", "denied", "cut")


@dataclass(frozen=True)
class Recording:
    """A conversation with a model, ready to be replayed: its header and its turns.

    A turn is a dict with `body` (a 200), `status` with optional `headers` and `body`,
    `sse` with `end`, or `any`, a list of such turns with `when` and `repeat`; `delay`
    is how many seconds `labkit serve`, and nobody else, lets a client wait for it. The
    header of a failure has more fields, see `labkit.replay.failure`.
    """

    name: str
    header: dict[str, Any]
    turns: list[Turn]

    @property
    def question(self) -> str:
        return str(self.header["question"])


def read_recording(
    path: Path, facts: Mapping[str, str] | None = None, seed: int = 0
) -> Recording:
    """The recording in a file, filled with a shop's facts, its call ids redrawn.

    Seed 0 keeps the call ids that are on file. Raises LabError, naming file, line and
    fault, if the file is damaged.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"{path}: cannot be read ({error}).") from None
    if not text:
        raise _damaged(path, 1, "the file is empty")
    # Not splitlines(): JSON may hold other characters that end a line for Python.
    lines = text.removesuffix("\n").split("\n")
    filled = [_fill(path, n, line, facts or {}) for n, line in enumerate(lines, 1)]
    header = _header(path, filled[0])
    turns = [_turn(path, n, line) for n, line in enumerate(filled[1:], 2)]
    if not turns:
        raise _damaged(path, 2, "there is no turn after the header")
    ids = sorted({id for turn in turns for id in call_ids(turn)})
    redrawn = json.loads(_redraw(json.dumps(turns), ids, seed))
    return Recording(path.stem, header, redrawn)


def call_ids(turn: Turn) -> Iterator[str]:
    """The id of every tool call in a turn, streamed ones and alternatives included."""
    for part in turn.get("any", [turn]):
        bodies = [part.get("body"), *map(_streamed, part.get("sse", []))]
        for choice in _objects(bodies, "choices"):
            said = [choice.get("message"), choice.get("delta")]
            for call in _objects(said, "tool_calls"):
                if isinstance(call.get("id"), str) and call["id"]:
                    yield call["id"]


def _objects(values: list[Any], key: str) -> Iterator[dict[str, Any]]:
    """The objects in the lists under this key; a body may have any shape, or none."""
    for value in values:
        found = value.get(key) if isinstance(value, dict) else None
        for item in found if isinstance(found, list) else []:
            if isinstance(item, dict):
                yield item


def _streamed(line: str) -> Any:
    """The JSON of one `data:` line of a stream, or None where there is none."""
    try:
        return json.loads(line.removeprefix("data:"))
    except (ValueError, RecursionError):
        return None


def _header(path: Path, line: str) -> dict[str, Any]:
    header = _json_object(path, 1, line)
    if header.get("format") != 1:
        raise _damaged(path, 1, f"format is {header.get('format')!r}, 1 is known")
    if unknown := header.keys() - HEADER - FIELDS:
        raise _damaged(path, 1, f"unknown header fields: {', '.join(sorted(unknown))}")
    if header.get("origin") not in ("live", "edited", "invented"):
        raise _damaged(path, 1, 'origin is none of "live", "edited", "invented"')
    if not all(isinstance(header.get(key), str) for key in ("title", "question")):
        raise _damaged(path, 1, "title and question must be text")
    if fault := next(failure_faults(header), None):
        raise _damaged(path, 1, fault)
    return header


def _turn(path: Path, number: int, line: str) -> Turn:
    turn = _json_object(path, number, line)
    options = turn.get("any", [turn])
    if (
        not isinstance(options, list)
        or not options
        or ("any" in turn and len(turn) > 1)
    ):
        raise _damaged(path, number, "any must be a list of turns and stand alone")
    for option in options:
        if fault := next(_turn_faults(option), None):
            raise _damaged(path, number, fault)
    return turn


def _turn_faults(turn: Any) -> Iterator[str]:
    """What is wrong with a turn, or with one of those in an `any`."""
    if not isinstance(turn, dict) or not turn.keys() & {"body", "status", "sse"}:
        yield "a turn needs one of body, status, sse, any"
        return
    if unknown := turn.keys() - TURN:
        yield f"unknown fields of a turn: {', '.join(sorted(unknown))}"
    when = turn.get("when", {"last_tool_result": "ok"})
    if not isinstance(when, dict) or when.keys() != {"last_tool_result"}:
        yield "when must be an object with last_tool_result"
    elif when["last_tool_result"] not in RESULTS:
        yield f"last_tool_result {when['last_tool_result']!r} is unknown"
    if not isinstance(turn.get("status", 200), int):
        yield "status must be a number"
    headers, sse = turn.get("headers", {}), turn.get("sse", [])
    if not isinstance(headers, dict) or not _all_text(headers.values()):
        yield "headers must be an object of texts"
    if not isinstance(sse, list) or not _all_text(sse):
        yield "sse must be a list of texts"
    if turn.get("end", "done") not in ("done", "eof", "reset"):
        yield "end must be done, eof or reset"
    delay = turn.get("delay", 0)
    if type(delay) not in (int, float) or not 0 <= delay <= LONGEST_DELAY:
        yield f"delay must be a number of seconds, 0 to {LONGEST_DELAY}"


def _all_text(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, number, f"not JSON ({error})") from None
    if not isinstance(value, dict):
        raise _damaged(path, number, "not a JSON object")
    return value


def _fill(path: Path, number: int, line: str, facts: Mapping[str, str]) -> str:
    """The line with each `{{name}}` replaced by that fact, as plain text."""
    for name in set(re.findall(r"\{\{([a-z0-9_.]+)\}\}", line)):
        if name not in facts:
            raise _damaged(path, number, f"no fact is called {{{{{name}}}}}")
        line = line.replace("{{" + name + "}}", facts[name])
    return line


def _redraw(text: str, ids: list[str], seed: int) -> str:
    """The text with every call id replaced by one as long, drawn for this seed.

    Only the value of an `id` or a `tool_call_id` is one: there are servers that number
    their calls, or name them after the tool.
    """
    if seed == 0 or not ids:
        return text
    drawn = {id: _drawn_id(id, seed) for id in ids}
    key = r'(?:"|"tool_call_)id\\*"\s*:\s*\\*"'
    either = "|".join(map(re.escape, ids))
    return re.sub(rf'({key})({either})(?=\\*")', lambda m: m[1] + drawn[m[2]], text)


def _drawn_id(id: str, seed: int) -> str:
    """The id with what follows its last `_` redrawn; two ids never become one.

    Each character is moved along the alphabet by a step that seed and place give.
    """
    letters = string.digits + string.ascii_letters
    prefix, mark, rest = id.rpartition("_")
    draw = random.Random(seed)
    drawn = ""
    for char in rest:
        step = draw.randrange(1, len(letters))
        place = letters.find(char)
        drawn += letters[(place + step) % len(letters)] if place >= 0 else char
    return prefix + mark + drawn


def _damaged(path: Path, number: int, fault: str) -> LabError:
    return LabError(f"{path}, line {number}: {fault}; mend the line or record it anew.")
