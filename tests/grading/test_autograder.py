"""The zip for Gradescope: built, unpacked, and run as Gradescope runs it."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from labkit.errors import LabError
from labkit.grading.autograder import write_autograder
from labkit.grading.autograder.run import seed_of
from labkit.grading.autograder.wheel import build_wheel
from tests.grading.graded_folder import GUARDRAIL, KEY, LOOP, answer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Gradescope is Linux")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zip") / "autograder.zip"
    write_autograder([LOOP, GUARDRAIL], path, allow_weak=True)
    return path


@pytest.fixture(scope="module")
def installed(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, as `setup.sh` has them installed."""
    folder = tmp_path_factory.mktemp("installed")
    with ZipFile(archive) as whole:
        [wheel] = [n for n in whole.namelist() if n.endswith(".whl")]
        whole.extract(wheel, folder)
    with ZipFile(folder / wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


class Container:
    """A folder laid out as `/autograder` is, and what runs in it."""

    def __init__(self, root: Path, archive: Path, installed: Path) -> None:
        self.root = root
        self.installed = installed
        for name in ("source", "submission", "results"):
            (root / name).mkdir()
        subprocess.run(["unzip", "-q", archive, "-d", root / "source"], check=True)
        shutil.copy(root / "source" / "run_autograder", root)

    def hand_in(self, path: Path, name: str) -> None:
        shutil.copy(path, self.root / "submission" / name)

    def run(self) -> "subprocess.CompletedProcess[str]":
        own = {
            "AUTOGRADER_ROOT": str(self.root),
            "LABKIT_PYTHON": sys.executable,
            "PYTHONPATH": str(self.installed),
        }
        return subprocess.run(
            [self.root / "run_autograder"],
            env=os.environ | own,
            cwd=self.root / "submission",
            capture_output=True,
            text=True,
            check=False,
        )

    def results(self) -> dict[str, Any]:
        file = self.root / "results" / "results.json"
        return dict(json.loads(file.read_text("utf-8")))


@pytest.fixture
def container(tmp_path: Path, archive: Path, installed: Path) -> Container:
    return Container(tmp_path, archive, installed)


def test_both_programs_stand_at_the_root_and_can_be_run(archive: Path) -> None:
    with ZipFile(archive) as whole:
        for name in ("setup.sh", "run_autograder"):
            mode = whole.getinfo(name).external_attr >> 16
            assert stat.S_ISREG(mode)
            assert mode & 0o111 == 0o111
            assert whole.read(name).startswith(b"#!/usr/bin/env bash\n")
            checked = subprocess.run(["bash", "-n"], input=whole.read(name), check=True)
            assert checked.returncode == 0


def test_each_version_that_labkit_needs_is_pinned(archive: Path) -> None:
    with ZipFile(archive) as whole:
        pins = whole.read("constraints.txt").decode().splitlines()
        version = whole.read("python_version.txt").decode().strip()
    names = {pin.partition("==")[0] for pin in pins if "==" in pin}
    assert len(names) == len(pins)
    assert {"openai", "pydantic", "typer", "nbformat"} <= names
    assert "labkit" not in names
    assert version == f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_a_right_and_a_wrong_answer_come_out_as_one_result(
    container: Container,
) -> None:
    container.hand_in(answer(LOOP, "right", "small_methods"), "lesson_03_loop.py")
    container.hand_in(
        answer(GUARDRAIL, "wrong", "negative_amounts"), "lesson_06_guardrail.py"
    )
    done = container.run()
    assert done.returncode == 0, done.stderr
    told = container.results()
    by_lesson = {
        lesson: sum(t["score"] for t in told["tests"] if lesson in t["tags"])
        for lesson in (LOOP, GUARDRAIL)
    }
    assert by_lesson[LOOP] == 12
    assert 0 < by_lesson[GUARDRAIL] < 18
    assert sum(test["max_score"] for test in told["tests"]) == 30


def test_a_lesson_that_is_not_there_counts_nothing_and_says_so(
    container: Container,
) -> None:
    container.hand_in(answer(LOOP, "right", "small_methods"), "lesson_03_loop.py")
    assert container.run().returncode == 0
    told = container.results()
    assert f"{GUARDRAIL}: nothing was handed in" in told["output"]
    assert sum(test["score"] for test in told["tests"]) == 12
    assert sum(test["max_score"] for test in told["tests"]) == 30


def test_an_empty_submission_gets_zeros_and_a_sentence(container: Container) -> None:
    assert container.run().returncode == 0
    told = container.results()
    assert sum(test["score"] for test in told["tests"]) == 0
    assert "nothing was handed in" in told["output"]


def test_a_file_that_is_no_notebook_says_why(container: Container) -> None:
    (container.root / "submission" / f"{LOOP}.ipynb").write_text("{")
    assert container.run().returncode == 0
    assert "cut off before its end" in container.results()["output"]


def test_where_grading_failed_there_are_no_results(container: Container) -> None:
    container.hand_in(answer(LOOP, "right", "small_methods"), "lesson_03_loop.py")
    order = container.root / "source" / "autograder.json"
    order.write_text(
        json.dumps({"lessons": ["lesson_99"], "allow_weak_isolation": True})
    )
    done = container.run()
    assert done.returncode == 2
    assert "lesson_99" in done.stderr
    assert not list((container.root / "results").iterdir())


def test_nothing_that_was_handed_in_is_imported(container: Container) -> None:
    container.hand_in(answer(LOOP, "right", "small_methods"), "lesson_03_loop.py")
    for name in ("labkit", "json", "typer", "sitecustomize"):
        trap = container.root / "submission" / f"{name}.py"
        trap.write_text("raise SystemExit('imported')\n")
    assert container.run().returncode == 0
    assert sum(test["score"] for test in container.results()["tests"]) == 12


def test_no_key_reaches_the_results(container: Container) -> None:
    text = answer(LOOP, "wrong", "no_id").read_text("utf-8")
    path = container.root / "submission" / f"{LOOP}.py"
    path.write_text(f"{text}\nraise ValueError({KEY!r})  # MyAgent\n")
    assert container.run().returncode == 0
    assert KEY not in json.dumps(container.results())


def test_each_attempt_gets_a_shop_of_its_own_that_no_learner_sees(
    tmp_path: Path,
) -> None:
    metadata = tmp_path / "submission_metadata.json"
    assert seed_of(metadata) > 0
    seeds = set()
    for id in range(100):
        metadata.write_text(json.dumps({"id": id, "users": []}))
        assert seed_of(metadata) == seed_of(metadata) > 0
        seeds.add(seed_of(metadata))
    assert len(seeds) > 90


def test_a_wheel_packed_as_installed_holds_the_same_files(
    installed: Path, tmp_path: Path
) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r});"
        "from pathlib import Path;"
        "from labkit.grading.autograder.wheel import build_wheel;"
        f"print(build_wheel(Path({str(tmp_path)!r})))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    with ZipFile(done.stdout.strip()) as packed:
        names = packed.namelist()
        record = packed.read(names[-1]).decode()
    there = {
        path.relative_to(installed).as_posix()
        for path in installed.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert set(names) == there
    assert record.count("sha256=") == len(names) - 1


def test_an_unknown_lesson_is_one_sentence_and_no_zip(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="no lesson 'lesson_99'"):
        write_autograder(["lesson_99"], tmp_path / "a.zip", allow_weak=False)
    assert not list(tmp_path.iterdir())


def test_a_wheel_that_cannot_be_built_is_one_sentence(
    tmp_path: Path, lab_copy: Path
) -> None:
    (lab_copy / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(LabError, match="the wheel cannot be built"):
        build_wheel(tmp_path)
