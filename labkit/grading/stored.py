"""Kept evidence: what a verdict rests on, so that it can be judged again."""

import gzip
import hashlib
import json
import os
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from labkit.checking.check import Checker
from labkit.checking.evidence import Evidence
from labkit.checking.place import Arrival, Place
from labkit.checking.scenario import Scenario
from labkit.checking.world import World
from labkit.errors import LabError
from labkit.lab import recording_file
from labkit.replay import Recording, find_recording

FIELDS = ("events", "returned", "raised", "not_started")
PACKED = 2  # gzip's level: nearly as small as the best, four times as fast


class NotOnFile(Exception):
    """A scenario was never run for this submission, or is another one by now."""


def scenarios_of(checker: Checker) -> list[Scenario]:
    """A lesson's scenarios, each once, in the order in which its checks name them."""
    found = {id(s): s for check in checker.checks for s in check.scenarios}
    return list(found.values())


def packed(checker: Checker, arrival: Arrival, seen: dict[int, Evidence]) -> Any:
    """An arrival and the evidence of its scenarios, as JSON."""
    scenarios = [
        {
            "index": index,
            "recording": _recording(scenario),
            "part": scenario.part,
            "scenario": fingerprint(scenario),
            "evidence": {name: getattr(seen[id(scenario)], name) for name in FIELDS},
        }
        for index, scenario in enumerate(scenarios_of(checker))
        if id(scenario) in seen
    ]
    return {"arrival": asdict(arrival), "scenarios": scenarios}


def compressed(text: str) -> bytes:
    """The content of an evidence file, given its JSON."""
    return gzip.compress(text.encode(), PACKED, mtime=0)


def evidence_file(out: Path, sha256: str, lesson: str, seed: int) -> Path:
    """Where the evidence of a submission's file lies."""
    return out / "evidence" / f"{sha256}-{lesson}-{seed}.json.gz"


def write_evidence(path: Path, content: bytes) -> None:
    """Write an evidence file, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(content)
    os.replace(new, path)


def read_evidence(path: Path) -> Any:
    """The content of an evidence file, or None if it is not there or damaged."""
    try:
        return json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError):
        return None


class OnFile:
    """A place that repeats what was seen; what was not is run in `fresh`, if given."""

    def __init__(self, kept: Any, fresh: Place | None = None) -> None:
        self.arrival = Arrival(**kept["arrival"])
        self.seen = {s["scenario"]: s["evidence"] for s in kept["scenarios"]}
        self.fresh = fresh

    def arrive(self) -> Arrival:
        return self.arrival

    def perform(self, world: World) -> Evidence:
        kept = self.seen.get(fingerprint(world.scenario))
        if kept is not None:
            world.end()
            return Evidence(**kept)
        if self.fresh is None:
            world.end()
            raise NotOnFile
        return self.fresh.perform(world)

    def close(self) -> None:
        if self.fresh:
            self.fresh.close()


def fingerprint(scenario: Scenario) -> str:
    """A digest of a scenario and of the recording it replays."""
    text = _recording_text(_recording(scenario))
    return hashlib.sha256(repr(scenario).encode() + text).hexdigest()


def checker_sha256(path: Path, checker: Checker) -> str:
    """A digest of a checker's file and of the recordings its scenarios replay."""
    digest = hashlib.sha256(path.read_bytes())
    for scenario in scenarios_of(checker):
        digest.update(fingerprint(scenario).encode())
    return digest.hexdigest()


@lru_cache(maxsize=512)
def shared_recording(name: str, seed: int) -> Recording:
    """A recording, read once; it is never changed by who replays it."""
    return find_recording(name, seed)


def _recording(scenario: Scenario) -> str:
    return getattr(scenario, "recording", None) or ""


@lru_cache(maxsize=512)
def _recording_text(name: str) -> bytes:
    try:
        return recording_file(name).read_bytes() if name else b""
    except (LabError, OSError):
        return b""  # the check says of it that it is broken
