"""The wheel holds everything: what works in a clone works where it is installed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, as an installer would lay them."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_labkit_is_the_only_thing_that_can_be_imported(installed: Path) -> None:
    names = {path.name for path in installed.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"labkit"}


def test_the_finished_agent_runs_from_the_wheel(installed: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r});"
        "from labkit.lab import lab_folder;"
        "print(lab_folder());"
        "from labkit.replayed_run import run_replayed;"
        "print(run_replayed('Hello! What can you do for me?').result.stopped_by)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=installed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(installed / "labkit" / "_lab"), "answered"]


def test_the_sample_code_base_travels_whole(installed: Path) -> None:
    def files(folder: Path) -> set[str]:
        found = (path for path in folder.rglob("*") if path.is_file())
        return {
            str(p.relative_to(folder)) for p in found if "__pycache__" not in p.parts
        }

    inside = files(installed / "labkit" / "workspace" / "sample")
    assert inside == files(ROOT / "labkit" / "workspace" / "sample")


def test_the_notebooks_a_learner_starts_with_are_in_it(installed: Path) -> None:
    inside = installed / "labkit" / "_lab" / "notebooks"
    here = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {path.name for path in inside.glob("*.ipynb")} == here
