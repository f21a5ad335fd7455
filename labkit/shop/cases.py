"""The shop's eval cases, filled with the figures of a seeded shop."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from labkit.shop.store import facts_for


def cases(seed: int = 0) -> list[dict[str, Any]]:
    """Six questions with the figures their answers hold; see `labkit.agent.evals`."""
    found: list[dict[str, Any]] = filled(json.loads(_text()), seed)
    return found


def filled(cases: Any, seed: int = 0) -> Any:
    """Cases with each `{{fact}}` of the seeded shop in its place.

    A text that is one placeholder and stands for a number becomes that number. Raises
    KeyError for a fact that the shop does not have.
    """
    if isinstance(cases, dict):
        return {key: filled(value, seed) for key, value in cases.items()}
    if isinstance(cases, list):
        return [filled(value, seed) for value in cases]
    if not isinstance(cases, str) or "{{" not in cases:
        return cases
    text = re.sub(r"\{\{([\w.]+)\}\}", lambda m: facts_for(seed)[m[1]], cases)
    try:
        return float(text)
    except ValueError:
        return text


@cache
def _text() -> str:
    return Path(__file__).with_name("cases.json").read_text(encoding="utf-8")
