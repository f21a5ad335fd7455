"""Classes of submissions as they come in: good ones, and a share of each trouble."""

from pathlib import Path

from labkit.lab import lab_folder

LESSON = "lesson_03_loop"
OWN_STEP = """
import time
from labkit import Agent

class MyAgent(Agent):
    def step(self, result):
"""
TROUBLE = {
    "busy": OWN_STEP + "        while True: pass\n",
    "sleeper": OWN_STEP + "        time.sleep(3600)\n",
    "runaway": OWN_STEP
    + "        while True:\n"
    + "            self.call_model([{'role': 'user', 'content': result.question}])\n",
    "error": OWN_STEP + "        return result.no_such_field\n",
}
MIXED = {"busy": 0.03, "sleeper": 0.01, "runaway": 0.20, "error": 0.08}


def write_class(folder: Path, size: int, shares: dict[str, float]) -> None:
    """A folder per student; no two files are the same, so each has to be run."""
    right = sorted((lab_folder() / "checkers" / "right" / LESSON).glob("*.py"))
    kinds = [kind for kind, share in shares.items() for _ in range(int(share * size))]
    for number in range(size):
        # Trouble comes evenly spread, as it does in a class in the order of its names.
        place, left = divmod(number * len(kinds), size)
        if kinds and left < len(kinds):
            code = TROUBLE[kinds[(place * 7) % len(kinds)]]
        else:
            code = right[number % len(right)].read_text(encoding="utf-8")
        file = folder / f"student_{number:05}" / f"{LESSON}.py"
        file.parent.mkdir(parents=True)
        file.write_text(f"{code}\n# by student {number}\n", encoding="utf-8")
