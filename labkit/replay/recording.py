"""The recording format: a header line, then one line per turn of the model."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.errors import LabError

Turn = dict[str, Any]
HEADER = {"format", "title", "origin", "source", "question"} | {
    "model",
    "server",
    "recorded_at",
    "sampling",
}
ANSWERS = ("body", "status", "sse", "any")
RESULTS = ("ok", "error", "useless_error", "denied", "cut")


@dataclass(frozen=True)
class Recording:
    """A conversation with a model, ready to be replayed: its header and its turns.

    A turn is a dict with `body` (a 200), `status` with optional `headers` and `body`,
    `sse` with `end`, or `any`, a list of such turns with `when` and `repeat`.
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
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"{path}: cannot be read ({error}).") from None
    if not lines:
        raise _damaged(path, 1, "the file is empty")
    header = _header(path, lines[0])
    filled = [_fill(path, n, line, facts or {}) for n, line in enumerate(lines, 1)]
    turns = [_turn(path, n, line) for n, line in enumerate(filled[1:], 2)]
    if not turns:
        raise _damaged(path, 2, "there is no turn after the header")
    ids = sorted({id for turn in turns for id in call_ids(turn)})
    redrawn = json.loads(_redraw(json.dumps(turns), ids, seed))
    question = _fill(path, 1, header["question"], facts or {})
    return Recording(path.stem, header | {"question": question}, redrawn)


def call_ids(turn: Turn) -> Iterator[str]:
    """The id of every tool call in a turn, streamed ones and alternatives included."""
    for part in turn.get("any", [turn]):
        bodies = [part.get("body"), *map(_streamed, part.get("sse", []))]
        for body in bodies:
            for choice in (isinstance(body, dict) and body.get("choices")) or []:
                message = choice.get("message") or choice.get("delta") or {}
                for call in message.get("tool_calls") or []:
                    if isinstance(call.get("id"), str) and call["id"]:
                        yield call["id"]


def _streamed(line: str) -> Any:
    """The JSON of one `data:` line of a stream, or None where there is none."""
    try:
        return json.loads(line.removeprefix("data:"))
    except ValueError:
        return None


def _header(path: Path, line: str) -> dict[str, Any]:
    header = _json_object(path, 1, line)
    if header.get("format") != 1:
        raise _damaged(path, 1, f"format is {header.get('format')!r}, 1 is known")
    if unknown := header.keys() - HEADER:
        raise _damaged(path, 1, f"unknown header fields: {', '.join(sorted(unknown))}")
    if header.get("origin") not in ("live", "edited", "invented"):
        raise _damaged(path, 1, 'origin is none of "live", "edited", "invented"')
    if not all(isinstance(header.get(key), str) for key in ("title", "question")):
        raise _damaged(path, 1, "title and question must be text")
    return header


def _turn(path: Path, number: int, line: str) -> Turn:
    turn = _json_object(path, number, line)
    options = turn["any"] if isinstance(turn.get("any"), list) else [turn]
    for option in options:
        if not isinstance(option, dict) or sum(key in option for key in ANSWERS) == 0:
            raise _damaged(path, number, f"a turn needs one of {', '.join(ANSWERS)}")
        wanted = option.get("when", {}).get("last_tool_result", "ok")
        if wanted not in RESULTS:
            raise _damaged(path, number, f"last_tool_result {wanted!r} is unknown")
        if not isinstance(option.get("status", 200), int):
            raise _damaged(path, number, "status must be a number")
        if option.get("end", "done") not in ("done", "eof", "reset"):
            raise _damaged(path, number, "end must be done, eof or reset")
    return turn


def _json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
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
    """The text with every call id replaced by one as long, drawn for this seed."""
    if seed == 0 or not ids:
        return text
    drawn = {id: _drawn_id(id, seed) for id in ids}
    whole_string = rf'(?<=")(?:{"|".join(map(re.escape, ids))})(?=\\*")'
    return re.sub(whole_string, lambda match: drawn[match[0]], text)


def _drawn_id(id: str, seed: int) -> str:
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
    prefix, mark, rest = id.rpartition("_")
    drawn = random.Random(f"{seed} {id}").choices(letters, k=len(rest))
    return prefix + mark + "".join(drawn)


def _damaged(path: Path, number: int, fault: str) -> LabError:
    return LabError(f"{path}, line {number}: {fault}; mend the line or record it anew.")
