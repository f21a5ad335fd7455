"""Where passed parts are kept: `.labkit/parts/`, one file for each."""

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from labkit.assembly.written import Written, written
from labkit.checking.report import Report
from labkit.whole_file import write_whole

SCHEMA = 1


def keep_passed(report: Report, names: dict[str, Any], here: Path) -> list[str]:
    """Save each part whose checks all passed; a sentence for each that could not be."""
    trouble = []
    for part in sorted({check.part for check in report.checks}):
        if all(check.passed for check in report.checks if check.part == part):
            try:
                save(written(names, part), here)
            except (OSError, TypeError) as error:
                trouble.append(
                    f"{part} could not be kept for labkit assemble ({error})"
                )
    return trouble


def save(part: Written, here: Path) -> Path:
    """Write a part into the nearest `.labkit/`, whole or not at all."""
    path = nearest(here) / "parts" / f"{part.part}.json"
    write_whole(path, json.dumps({"schema": SCHEMA, **part.to_json()}, indent=1))
    return path


def read_saved(here: Path) -> dict[str, Written]:
    """The parts that are kept, by name; a damaged file counts as none."""
    found = map(_read, sorted((nearest(here) / "parts").glob("*.json")))
    return {part.part: part for part in found if part}


def nearest(here: Path) -> Path:
    """The nearest `.labkit` at or above a folder; where there is none, one in it."""
    above: Iterator[Path] = (
        folder / ".labkit" for folder in (here.absolute(), *here.absolute().parents)
    )
    return next((path for path in above if path.is_dir()), here / ".labkit")


def work_folder(given: Path | None) -> Path:
    """The learner's folder: the given one, else the one we are in, else `work`."""
    found = nearest(Path())
    return given or (found.parent if found.is_dir() else Path("work"))


def _read(path: Path) -> Written | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.pop("schema") != SCHEMA or kept["part"] != path.stem:
            return None
        known = {field.name for field in fields(Written)}
        return Written(**{name: kept[name] for name in known})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
