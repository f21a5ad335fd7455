"""Inside Gradescope's container: from what was handed in to `results/results.json`."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from labkit.checking.check import load_checker
from labkit.errors import LabError
from labkit.grading.exports.gradescope import gradescope
from labkit.grading.record import ungraded
from labkit.grading.results import Line, Results, chosen
from labkit.whole_file import write_whole


def run(root: Path) -> int:
    """Grade the submission below a folder; the exit status comes back.

    Where grading itself failed no results are left: Gradescope tells the instructor,
    and no student reads a zero that nobody earned.
    """
    order = json.loads((root / "source" / "autograder.json").read_text("utf-8"))
    seed = seed_of(root / "submission_metadata.json")
    with TemporaryDirectory() as folder:
        out = Path(folder)
        done = _grade(root / "submission", out, order, seed)
        if not (out / "results.jsonl").is_file():
            return _nothing(root, order["lessons"], done, seed)
        results = Results(out)
        best = chosen(results.entries)
        if any(entry.set_aside for entry in best.values()):
            print(done.stderr, file=sys.stderr)
            return 2
        lines = {line["lesson"]: line for line in results.read(best.values())}
    _write(root, order["lessons"], lines, seed)
    return 0


def seed_of(metadata: Path) -> int:
    """The shop for one submission, never the learners' own, 0.

    Each attempt gets another, so figures copied out of the last report are no use; the
    same attempt graded again gets the same.
    """
    try:
        id = json.loads(metadata.read_text("utf-8"))["id"]
    except (OSError, ValueError, KeyError, TypeError):
        id = "no id"
    return 1 + crc32(str(id).encode()) % 1_000_000


def _grade(
    submission: Path, out: Path, order: dict[str, Any], seed: int
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "labkit.cli", "grade", str(submission)]
    command += ["--out", str(out), "--lessons", ",".join(order["lessons"])]
    command += ["--seed", str(seed)]
    if order["allow_weak_isolation"]:
        command.append("--allow-weak-isolation")
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False
    )


def _nothing(
    root: Path,
    lessons: list[str],
    done: "subprocess.CompletedProcess[str]",
    seed: int,
) -> int:
    """Nothing was graded: because nothing was handed in, or for want of a jail, say."""
    if any(path.is_file() for path in (root / "submission").rglob("*")):
        print(done.stderr, file=sys.stderr)
        return 2
    _write(root, lessons, {}, seed)
    return 0


def _write(root: Path, lessons: list[str], lines: dict[str, Line], seed: int) -> None:
    told = [lines.get(lesson) or _missing(lesson, seed) for lesson in lessons]
    text = json.dumps(gradescope(told, _points(told)), indent=1)
    write_whole(root / "results" / "results.json", f"{text}\n")


def _points(lines: list[Line]) -> dict[str, float]:
    return {line["lesson"]: line["max_score"] for line in lines}


def _missing(lesson: str, seed: int) -> Line:
    """The line of a lesson for which there is no file."""
    why = f"{lesson}: nothing was handed in."
    report = ungraded(load_checker(lesson), "missing", why, seed)
    return report.to_json() | {"grading": {"tier": "none"}}


def main(root: Path) -> int:
    """The exit status; an error meant for a person is one line."""
    try:
        return run(root)
    except (LabError, OSError) as error:
        print(f"labkit: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
