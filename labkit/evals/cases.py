"""Reading eval cases from a file; what is wrong with one is said in one sentence."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from labkit.agents import KITS, kit_for
from labkit.errors import LabError
from labkit.replay import find_recording
from labkit.replayed_run import tools_used
from labkit.shop import cases as shop_cases
from labkit.shop.cases import filled

Case = dict[str, Any]
FIELDS = ("id", "question", "recording", "numbers", "tools", "max_steps")


def read_cases(path: Path | None, seed: int = 0) -> list[Case]:
    """The cases in a file (a JSON list, or .jsonl), or the shop's own six.

    `{{facts}}` of the seeded shop are filled in. Raises LabError for what is no case, a
    recording that is not there, an id that stands twice, and for no cases at all.
    """
    if path is None:
        return shop_cases(seed)
    try:
        cases = filled(_parsed(path), seed)
    except KeyError as error:
        raise LabError(f"{path}: no fact of the shop is called {error}.") from None
    if not isinstance(cases, list):
        raise LabError(f"{path}: eval cases are a JSON list; put [ and ] round them.")
    if not cases:
        raise LabError(f"{path}: there are no cases in it, so nothing could pass.")
    ids = set()
    for number, case in enumerate(cases, 1):
        if fault := next(_faults(case), None):
            raise LabError(f"{path}, case {number}: {fault}.")
        if case["id"] in ids:
            raise LabError(
                f"{path}, case {number}: the id {case['id']!r} stands twice."
            )
        ids.add(case["id"])
    return cases


def _parsed(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except UnicodeDecodeError:
        raise LabError(f"{path}: it is not text in UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise LabError(f"{path}: it is not JSON ({error}).") from None


def _faults(case: Any) -> Iterator[str]:
    """What is wrong with one case."""
    if not isinstance(case, dict):
        yield "a case is an object"
        return
    for field in ("id", "question", "recording"):
        if not isinstance(case.get(field), str) or not case[field]:
            yield f"{field} must be a text"
    for field in case:
        if field not in FIELDS:
            close = get_close_matches(field, FIELDS, n=1)
            yield f"there is no field {field!r}" + (
                f"; did you mean {close[0]!r}?" if close else ""
            )
    if not _all(case.get("numbers", []), (int, float)):
        yield "numbers must be a list of numbers"
    if not _all(case.get("tools", []), (str,)):
        yield "tools must be a list of names"
    steps = case.get("max_steps", 1)
    if type(steps) is not int or steps < 1:
        yield "max_steps must be a whole number above zero"
    if not case.get("numbers") and not case.get("tools"):
        yield "it asks for neither numbers nor tools, so it cannot fail"
    yield from _unknown_tools(case)


def _unknown_tools(case: Case) -> Iterator[str]:
    known = KITS[kit_for(tools_used(find_recording(case["recording"])))].names
    for name in case.get("tools", []):
        if name not in known:
            yield f"there is no tool {name!r}; there are: {', '.join(known)}"


def _all(values: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(values, list) and all(type(value) in kinds for value in values)
