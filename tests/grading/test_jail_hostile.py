"""Every hostile submission gets its verdict, as root and as anybody, in each jail.

All of them run once for each kind of jail, several at a time.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import openai
import pytest

import labkit
from tests.grading.hostile import CASES
from tests.grading.hostile.verdicts import Verdict, verdicts, wrong

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="jails are Linux'"),
    pytest.mark.xdist_group("jail"),
]
ANYBODY = 1001


def test_there_are_more_than_a_hundred_of_them_under_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) > 108


@pytest.mark.parametrize("tier", ["namespaces", "landlock"])
def test_each_gets_its_verdict(tier: str) -> None:
    assert wrong(found := verdicts(tier), tier == "namespaces") == []
    assert len(found) == len(CASES)


@pytest.fixture(scope="module")
def python_for_anybody() -> Iterator[Path]:
    """An environment with this one's libraries that another user can enter."""
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    bases = (sys.base_prefix, "/usr", "/usr/local")
    found = [Path(base, "bin", version) for base in bases]
    if not (runs := [python for python in found if python.exists() and _runs(python)]):
        pytest.skip(f"no {version} here that every user may run")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        subprocess.run([runs[0], "-m", "venv", "--without-pip", home], check=True)
        libraries = Path(openai.__file__).parents[1]
        also = f"import site; site.addsitedir({str(libraries)!r})\n"
        (home / "lib" / version / "site-packages" / "also.pth").write_text(also)
        yield home / "bin" / "python"


@pytest.mark.parametrize("tier", ["namespaces", "landlock"])
def test_each_gets_its_verdict_from_an_ordinary_user(
    tier: str, python_for_anybody: Path
) -> None:
    found = _as_anybody(python_for_anybody, tier)
    assert wrong(found, tier == "namespaces") == []
    assert len(found) == len(CASES)


def _as_anybody(python: Path, tier: str) -> dict[str, Verdict]:
    done = subprocess.run(
        [python, "-m", "tests.grading.hostile.verdicts", tier],
        cwd=Path(labkit.__file__).parents[1],
        env={"OPENAI_API_KEY": "sk-of-the-instructor", "PYTHONDONTWRITEBYTECODE": "1"},
        user=ANYBODY,
        group=ANYBODY,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Verdict] = json.loads(done.stdout)
    return found


def _runs(python: Path) -> bool:
    how = {"user": ANYBODY, "group": ANYBODY, "extra_groups": []}
    try:
        return not subprocess.run([python, "-c", ""], check=False, **how).returncode
    except OSError:
        return False
