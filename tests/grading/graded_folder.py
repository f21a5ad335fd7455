"""A graded folder made by judging answers here, for the tests of what comes out."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from labkit.checking.check import load_checker
from labkit.checking.evidence import Evidence
from labkit.checking.judge import judge
from labkit.checking.loading import Loaded, asked_names, load
from labkit.checking.place import Arrival
from labkit.checking.process import nearest_place
from labkit.checking.submission import read_submission
from labkit.grading.record import ungraded
from labkit.grading.stored import compressed, evidence_file, packed, write_evidence
from labkit.lab import lab_folder
from labkit.silence import silent

LOOP, GUARDRAIL = "lesson_03_loop", "lesson_06_guardrail"
NEGATIVE = "negative_amounts"


def answer(lesson: str, kind: str, name: str) -> Path:
    """An answer that stands beside a lesson's checker."""
    return lab_folder() / "checkers" / kind / lesson / f"{name}.py"


def graded_line(out: Path, student: str, lesson: str, path: Path) -> dict[str, Any]:
    """The line of results for a file, judged here; its evidence is written."""
    checker = load_checker(lesson)
    submission = read_submission(path).to_json()
    kept: list[Any] = []

    def loaded() -> Loaded:
        with silent():
            return load(submission, asked_names(checker.parts))

    def keep(arrival: Arrival, seen: dict[int, Evidence]) -> None:
        cells = {"cells": submission["cells"]}
        kept.append(packed(checker, arrival, seen) | cells)

    place = nearest_place(loaded, checker.parts)
    report = judge(checker, place, student, keep=keep).to_json()
    digest = sha256(path.read_bytes()).hexdigest()
    content = compressed(json.dumps(kept[0]))
    write_evidence(evidence_file(out, digest, lesson, 0), content)
    return report | {"grading": grading(student, str(path), digest)}


def grading(student: str, path: str = "", digest: str = "") -> dict[str, Any]:
    """What a line holds of how it was graded."""
    return {
        "student": student,
        "path": path,
        "sha256": digest,
        "tier": "namespaces",
        "attempt": 1,
        "flaky": False,
        "same_as": None,
        "seed": 0,
        "started": "2026-11-30T12:00:00.125+00:00",
        "ended": "2026-11-30T12:00:01.250+00:00",
    }


def write_results(out: Path, lines: list[dict[str, Any]]) -> None:
    """The lines as `results.jsonl`."""
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (out / "results.jsonl").write_text(text, encoding="utf-8")


HOSTILE = '=HYPERLINK("http://x"),\n<script>alert(1)</script>\x1b[31m'
KEY = "sk-proj-" + "a1B2c3D4" * 4


def small_class(out: Path) -> list[dict[str, Any]]:
    """Four students' lines, written to a folder; the last one's name is hostile.

    ann has all points in both lessons; ben's tool results have no id; cy's policy takes
    negative amounts; what the hostile one handed in could not be read.
    """
    lines = [
        graded_line(out, "ann", LOOP, answer(LOOP, "right", "small_methods")),
        graded_line(out, "ann", GUARDRAIL, answer(GUARDRAIL, "right", "whole_cents")),
        graded_line(out, "ben", LOOP, answer(LOOP, "wrong", "no_id")),
        graded_line(out, "cy", GUARDRAIL, answer(GUARDRAIL, "wrong", NEGATIVE)),
        unread_line(HOSTILE, LOOP, f"{HOSTILE}: not JSON; the key is {KEY}"),
    ]
    write_results(out, lines)
    return lines


def unread_line(
    student: str, lesson: str, why: str, status: str = "not_gradable"
) -> dict[str, Any]:
    """The line of a file that nothing could be run of."""
    report = ungraded(load_checker(lesson), status, why, 0).to_json()
    return report | {"submission": student, "grading": grading(student, student)}
