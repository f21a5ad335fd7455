"""Nothing missing and nothing over: the files, hints and recordings of a lesson."""

import re
from collections.abc import Iterator
from pathlib import Path

from labkit.checking.check import Checker
from labkit.lab import lab_folder, lessons
from labkit.shop import cases

LONGEST_HINT = 45
LONGEST_LEARNED = 40


def inventory_faults(checker: Checker) -> Iterator[str]:
    """What is missing, empty or over in one lesson, a sentence each."""
    yield from _hint_faults(checker)
    yield from _learned_faults(checker.learned)
    for check in checker.checks:
        if not check.claim:
            yield f"{check.id}: a check needs a docstring, the claim a learner reads"
        if check.part not in checker.hints:
            yield f"{check.id}: no hints for its part {check.part!r}"
    yield from _orphans(checker)


def stray_files() -> Iterator[str]:
    """Files in the checkers' and recordings' folders that belong to no lesson."""
    known = set(lessons())
    checkers, recordings = lab_folder() / "checkers", lab_folder() / "recordings"
    for path in sorted(_files(checkers)):
        parts = path.relative_to(checkers).parts
        answer = len(parts) == 3 and parts[0] in ("wrong", "right")
        lesson = parts[1] if answer else path.stem
        if path.suffix != ".py" or lesson not in known or len(parts) not in (1, 3):
            yield f"checkers/{path.relative_to(checkers)} belongs to no lesson"
    for path in sorted(_files(recordings)):
        parts = path.relative_to(recordings).parts
        kept = len(parts) == 2 and parts[0] in known | {"failures"}
        if path.suffix != ".jsonl" or not kept:
            yield f"recordings/{path.relative_to(recordings)} belongs to no lesson"


def _hint_faults(checker: Checker) -> Iterator[str]:
    for part, ladder in checker.hints.items():
        if not ladder or not all(hint.strip() for hint in ladder):
            yield f"the hints of {part} have an empty one"
        elif "?" not in ladder[0]:
            yield f"the first hint of {part} asks no question"
        for hint in ladder:
            if len(hint.split()) > LONGEST_HINT:
                yield f"a hint of {part} has {len(hint.split())} words: {hint[:40]}…"


def _learned_faults(learned: str) -> Iterator[str]:
    if not learned.strip():
        yield "LEARNED is missing: one sentence on what a learner has written"
    elif len(learned.split()) > LONGEST_LEARNED:
        yield f"LEARNED has {len(learned.split())} words: {learned[:40]}…"


def _orphans(checker: Checker) -> Iterator[str]:
    """Recordings that no scenario, no eval case and no cell of the notebook names."""
    scenarios = (scenario for check in checker.checks for scenario in check.scenarios)
    used = {getattr(scenario, "recording", None) for scenario in scenarios}
    used |= {case["recording"] for case in cases()}
    source = lab_folder() / "notebooks" / "source" / f"{checker.lesson}.py"
    if source.exists():
        used |= set(re.findall(r"\w+", source.read_text(encoding="utf-8")))
    for path in sorted((lab_folder() / "recordings" / checker.lesson).glob("*.jsonl")):
        if path.stem not in used:
            yield f"recordings/{checker.lesson}/{path.name} is used by nothing"


def _files(folder: Path) -> Iterator[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return (path for path in found if "__pycache__" not in path.parts)
