"""The journal of a batch: append-only, each line on disk before anybody is told.

A line is a JSON object with `event`:

batch   what is graded, and how: `lab_version`, `seed`, `lessons` (each with the
        fingerprint of its checker); the last one counts
start   the code behind `key` is about to run
left    it was stopped by a person, so its start does not count against it
fatal   it ended the grader twice, or workers of a cluster again and again
first   `run` is the outcome of a first, uncertain run; a second one follows
result  `record` is the line of results.jsonl; of a submission and lesson the last
gone    the result of `submission` in `lesson` no longer counts: that student handed in
        other files since
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from labkit.errors import LabError

NAME = "journal.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a result stands in the journal, and what is asked of it most."""

    offset: int
    key: str
    status: str
    student: str


class Journal:
    """A batch's journal, read once and then appended to; nobody else may write it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.path = folder / NAME
        self.batch: dict[str, Any] | None = None
        self.results: dict[tuple[str, str], Entry] = {}
        self.by_key: dict[str, int] = {}
        self.firsts: dict[str, int] = {}
        self.strikes: Counter[str] = Counter()
        self.file: BinaryIO = open(self.path, "a+b")  # noqa: SIM115
        try:
            _lock(self.file, folder)
            self._read()
        except BaseException:
            self.file.close()
            raise

    def append(self, *events: dict[str, Any]) -> None:
        """Write events; they are on disk when this returns."""
        lines = [json.dumps(event).encode() + b"\n" for event in events]
        offset = self.file.seek(0, os.SEEK_END)
        self.file.write(b"".join(lines))
        self.file.flush()
        getattr(os, "fdatasync", os.fsync)(self.file.fileno())
        for event, line in zip(events, lines):
            self._take(event, offset)
            offset += len(line)

    def record(self, entry_or_offset: Entry | int) -> dict[str, Any]:
        """The line of results.jsonl that stands at a place of the journal."""
        at = entry_or_offset
        record: dict[str, Any] = self.event(at.offset if isinstance(at, Entry) else at)[
            "record"
        ]
        return record

    def event(self, offset: int) -> dict[str, Any]:
        """The event whose line begins there."""
        self.file.seek(offset)
        event: dict[str, Any] = json.loads(self.file.readline())
        return event

    def records(self) -> Iterator[dict[str, Any]]:
        """Every result that counts, by submission and lesson."""
        for place in sorted(self.results):
            yield self.record(self.results[place])

    def close(self) -> None:
        """Let go of the file, so that another may write it."""
        self.file.close()

    def _read(self) -> None:
        """Take in what is there; a last line that was cut off is cut away."""
        self.file.seek(0)
        offset = number = 0
        started: set[str] = set()
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n"):
                self.file.truncate(offset)
                break
            event = _event(line, self.path, number)
            self._note_start(event, started)
            self._take(event, offset)
            offset += len(line)
        self.strikes.update(started)

    def _note_start(self, event: dict[str, Any], started: set[str]) -> None:
        """Count the starts that nothing came of: then the grader itself was ended."""
        kind, key = event["event"], event.get("key", "")
        if kind == "start" and event.get("here", True):
            if key in started:
                self.strikes[key] += 1
            started.add(key)
        elif kind in ("result", "left", "first"):
            started.discard(key)

    def _take(self, event: dict[str, Any], offset: int) -> None:
        kind = event["event"]
        if kind == "batch":
            self.batch = event
        elif kind == "result":
            self._take_result(event, offset)
        elif kind == "first":
            self.firsts[event["key"]] = offset
        elif kind == "fatal":
            self.strikes[event["key"]] += 2
        elif kind == "gone":
            self.results.pop((event["submission"], event["lesson"]), None)

    def _take_result(self, event: dict[str, Any], offset: int) -> None:
        record, key = event["record"], event["key"]
        place = (record["submission"], record["lesson"])
        self.firsts.pop(key, None)
        student = sys.intern(record["grading"]["student"])
        self.results[place] = Entry(offset, key, sys.intern(record["status"]), student)
        if key and record["status"] != "internal":
            self.by_key[key] = offset


def read_batch(folder: Path) -> Journal:
    """The journal of a folder that was graded into; LabError if it is none."""
    if not (folder / NAME).is_file():
        raise LabError(
            f"{folder}: no {NAME} in it; give a folder that `labkit grade` wrote."
        )
    return Journal(folder)


def write_results(journal: Journal) -> Path:
    """Write results.jsonl out of the journal, whole, and say where it stands."""
    path = journal.folder / "results.jsonl"
    new = path.with_suffix(".new")
    with open(new, "w", encoding="utf-8", newline="") as file:
        for record in journal.records():
            file.write(json.dumps(record) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    return path


def _event(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        event = json.loads(line)
        event["event"]
    except (ValueError, KeyError, TypeError):
        raise LabError(
            f"{path}, line {number}: damaged, no event of a batch; grade into another "
            "folder."
        ) from None
    return dict(event)


def _lock(file: BinaryIO, folder: Path) -> None:
    """Keep others out while this process lives; nothing where the system cannot."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise LabError(
            f"{folder}: another labkit is writing to it; wait until it has ended."
        ) from None
