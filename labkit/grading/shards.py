"""A batch in parts on several machines, and the parts joined."""

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.errors import LabError
from labkit.grading.journal import NAME, Entry, Journal, read_batch, write_results


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count`, counted from 1."""

    number: int
    count: int

    def holds(self, student: str) -> bool:
        """Whether a student belongs to this part; all of a student's files do."""
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.number - 1


def shard(text: str) -> Shard:
    """The shard that "2/5" names; LabError if it names none."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise LabError(f"--shard {text}: no part of a whole; give one such as 2/5.")
    return Shard(int(match[1]), int(match[2]))


def merge(folders: list[Path], out: Path) -> Journal:
    """Join graded folders in another, its journal left open; LabError if unlike.

    Of a submission and lesson the result that ended last counts, but none of the lab's
    faults while there is a better one. Joining again changes nothing.
    """
    if out.resolve() in [folder.resolve() for folder in folders]:
        raise LabError(f"{out}: one of the folders to join; give --out another one.")
    for folder in folders:
        if not (folder / NAME).is_file():
            read_batch(folder)  # says so
    joined = Journal(out)
    try:
        for folder in folders:
            _take_in(folder, joined)
        write_results(joined)
    except BaseException:
        joined.close()
        raise
    return joined


def _take_in(folder: Path, joined: Journal) -> None:
    part = read_batch(folder)
    try:
        if part.batch is None:
            return  # it was ended before its first line
        _agree(folder, part.batch, joined)
        for place in sorted(part.results):
            entry = part.results[place]
            record = part.record(entry)
            if _better(record, joined.results.get(place), joined):
                _copy_evidence(record, folder, joined.folder)
                event = {"event": "result", "key": entry.key, "record": record}
                joined.append(event)
    finally:
        part.close()


def _agree(folder: Path, batch: dict[str, Any], joined: Journal) -> None:
    """Let a part's batch be the whole's, unless it was graded otherwise."""
    if joined.batch is None:
        joined.append(batch)
        return
    for name, what in (("lab_version", "labkit"), ("seed", "seed")):
        if batch[name] != joined.batch[name]:
            raise LabError(
                f"{folder}: graded with {what} {batch[name]}, the others with "
                f"{joined.batch[name]}; grade it again like them."
            )
    lessons, more = joined.batch["lessons"], batch["lessons"]
    if other := [name for name in more if lessons.get(name, more[name]) != more[name]]:
        raise LabError(
            f"{folder}: graded with another checker of {other[0]} than the others; "
            "grade it again with theirs."
        )
    if more.keys() - lessons.keys():
        joined.append(joined.batch | {"lessons": lessons | more})


def _better(record: dict[str, Any], there: Entry | None, joined: Journal) -> bool:
    """Whether a result takes the place of the one that is there."""
    if there is None:
        return True
    return _worth(record) > _worth(joined.record(there))


def _worth(record: dict[str, Any]) -> tuple[bool, str]:
    return record["status"] != "internal", record["grading"]["ended"]


def _copy_evidence(record: dict[str, Any], source: Path, out: Path) -> None:
    from labkit.grading.stored import evidence_file

    if not (sha256 := record["grading"]["sha256"]):
        return
    names = (sha256, record["lesson"], record["seed"])
    there = evidence_file(source, *names)
    if there.is_file():
        copy = evidence_file(out, *names)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(there, copy)
