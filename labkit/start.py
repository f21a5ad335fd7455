"""`labkit start`: copy the notebooks to the learner's folder and open JupyterLab."""

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from labkit.errors import LabError
from labkit.lab import lab_folder

FIRST = "00_start_here.ipynb"
# The jupyter server's own words in the browser's log are no help to a learner.
QUIET = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class="
    "jupyterlab.handlers.announcements.NeverCheckForUpdate",
)


def copy_notebooks(folder: Path) -> Iterator[str]:
    """Copy each notebook that is not there yet; one sentence for each that was.

    A learner's file is never written over. If the lab has a newer version than the one
    their copy began as, it is put beside it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / ".labkit" / "notebooks.json"
    begun = _read(record)
    for source in sorted((lab_folder() / "notebooks").glob("*.ipynb")):
        data, mine = source.read_bytes(), folder / source.name
        version = hashlib.sha256(data).hexdigest()
        if not mine.exists():
            mine.write_bytes(data)
            yield f"copied {mine}"
        elif begun.get(source.name, version) != version and mine.read_bytes() != data:
            beside = _free_name(mine)
            beside.write_bytes(data)
            yield f"{source.name} has a newer version; yours is kept, it is {beside}"
        begun[source.name] = version
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(begun, indent=1), encoding="utf-8")


def open_lab(folder: Path, browser: bool) -> None:
    """Become JupyterLab, at the first notebook; LabError if it is not installed."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise LabError('JupyterLab is not installed; run pip install "labkit[lab]".')
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += [f"--LabApp.default_url=/lab/tree/{FIRST}", *QUIET]
    command += [] if browser else ["--no-browser"]
    os.execv(sys.executable, command)


def _read(record: Path) -> dict[str, str]:
    """What each notebook began as; damage costs no more than that knowledge."""
    try:
        known = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _free_name(path: Path) -> Path:
    numbers = (f"{path.stem} (new version {n}).ipynb" for n in range(1, 1000))
    return next(p for p in map(path.with_name, numbers) if not p.exists())
