"""Submissions that attack, or break, what grades them; each with what it must get."""

from tests.grading.hostile import (
    breaking,
    crashing,
    files,
    forging,
    looping,
    reaching,
    right,
)
from tests.grading.hostile.case import Case

MODULES = (right, looping, crashing, files, reaching, forging, breaking)
CASES: list[Case] = [case for module in MODULES for case in module.CASES]
