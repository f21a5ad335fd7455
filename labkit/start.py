"""The learner's folder: `labkit start` fills it, `labkit reset` renews a notebook."""

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from labkit.errors import LabError
from labkit.lab import lab_folder, lessons, unknown
from labkit.whole_file import reserved, set_aside, whole_file, write_whole

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
    begun = _begun(folder)
    for source in _notebooks():
        data, mine = source.read_bytes(), folder / source.name
        version = _version(data)
        if not mine.exists():
            mine.write_bytes(data)
            yield f"copied {mine}"
        elif begun.get(source.name, version) != version and mine.read_bytes() != data:
            beside = reserved(mine, "new version")
            beside.write_bytes(data)
            yield f"{source.name} has a newer version; yours is kept, it is {beside}"
        begun[source.name] = version
    _note_begun(folder, begun)


def reset(name: str, folder: Path) -> Iterator[str]:
    """Put a fresh notebook in place of the learner's, which is kept beside it.

    By its name or its lesson's number. Sentences that say both names, and what becomes
    of what has passed: parts stay kept, while the lesson's checks begin again. Raises
    LabError, with nothing changed, for a name or a folder that does not fit.
    """
    from labkit.progress import begin_again

    source, mine = _named(name, folder)
    data = source.read_bytes()
    _note_begun(folder, _begun(folder) | {source.name: _version(data)})
    begin_again(source.stem, folder)
    if mine.exists() and mine.read_bytes() == data:
        yield f"{mine} is fresh already; nothing is changed"
        return
    with whole_file(mine) as file:
        file.write(data.decode("utf-8"))
        file.flush()  # a full disk shows itself while the learner's file is in place
        kept = set_aside(mine, "kept") if mine.exists() else None
    if kept:
        yield f"yours is kept as {kept}"
    yield f"{mine} is fresh; if it is open in JupyterLab, close it and open it again"
    if parts := _kept_parts(source.stem, folder):
        yield f"labkit assemble goes on with your {parts} until it passes anew"


def open_lab(folder: Path, browser: bool) -> None:
    """Become JupyterLab, at the first notebook; LabError if it is not installed."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise LabError('JupyterLab is not installed; run pip install "labkit[lab]".')
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += [f"--LabApp.default_url=/lab/tree/{FIRST}", *QUIET]
    command += ["--ServerApp.jpserver_extensions=labkit.jupyter=True"]
    command += [] if browser else ["--no-browser"]
    os.execv(sys.executable, command)


def _notebooks() -> list[Path]:
    """The notebooks as the lab has them, in their order."""
    return sorted((lab_folder() / "notebooks").glob("*.ipynb"))


def _named(name: str, folder: Path) -> tuple[Path, Path]:
    """The notebook of a name or number: the lab's file, and where the learner's is."""
    known = {source.stem: source for source in _notebooks()}
    stem = name.removesuffix(".ipynb")
    if name.isdecimal():
        numbered = (f"lesson_{name:0>2}_", f"{name:0>2}_")
        stem = next((stem for stem in known if stem.startswith(numbered)), name)
    if stem not in known:
        raise LabError(unknown("lesson", name, list(known)))
    source = known[stem]
    if not (folder / ".labkit").is_dir() and not (folder / source.name).exists():
        raise LabError(f"{folder} holds no notebooks; name your folder with --dir.")
    return source, folder / source.name


def _kept_parts(lesson: str, folder: Path) -> str:
    """A lesson's parts that are kept for `labkit assemble`, as words."""
    from labkit.assembly.saved import read_saved
    from labkit.checking.check import load_checker

    parts = load_checker(lesson).parts if lesson in lessons() else []
    kept = read_saved(folder)
    return " and ".join(part for part in parts if part in kept)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _begun(folder: Path) -> dict[str, str]:
    """What each notebook began as; damage costs no more than that knowledge."""
    try:
        known = json.loads(_record(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _note_begun(folder: Path, begun: dict[str, str]) -> None:
    write_whole(_record(folder), json.dumps(begun, indent=1))


def _record(folder: Path) -> Path:
    return folder / ".labkit" / "notebooks.json"
