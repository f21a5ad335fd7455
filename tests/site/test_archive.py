"""What is pure Python goes into one archive, its code beside it; the rest stays."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from labkit.authoring.site import archive
from labkit.errors import LabError

NATIVE = "pydantic_core-2.50.5-cp314-cp314-wasm32.whl"


def write_zip(path: Path, files: dict[str, str]) -> None:
    with ZipFile(path, "w") as written:
        for name, text in files.items():
            written.writestr(name, text)


def names(path: Path) -> list[str]:
    with ZipFile(path) as read:
        return sorted(read.namelist())


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A standard library, a pure wheel and a native one, and the code of some of it."""
    write_zip(tmp_path / archive.LIBRARY, {"json/__init__.py": "", "this.py": ""})
    pure = {"openai/__init__.py": "", "openai/seldom.py": "", "six.py": ""}
    write_zip(tmp_path / "openai-3.57.0-py3-none-any.whl", pure)
    write_zip(tmp_path / NATIVE, {"pydantic_core/__init__.py": "", "core.so": ""})
    loaded = ("json/__init__.py", "openai/__init__.py", "six.py")
    native = ("pydantic_core/__init__.py",)
    write_zip(tmp_path / archive.COMPILED, dict.fromkeys((*loaded, *native), "code"))
    archive.merge(tmp_path, "cpython-314")
    return tmp_path


def test_a_pure_wheel_lies_in_the_archive_with_the_code_of_what_is_loaded(
    shelf: Path,
) -> None:
    assert names(shelf / archive.LIBRARY) == [
        "json/__init__.py",
        "json/__init__.pyc",
        "openai/__init__.py",
        "openai/__init__.pyc",
        "openai/seldom.py",
        "six.py",
        "six.pyc",
        "this.py",
    ]


def test_a_native_wheel_stays_one_and_has_its_code_where_python_looks(
    shelf: Path,
) -> None:
    code = "pydantic_core/__pycache__/__init__.cpython-314.pyc"
    assert names(shelf / NATIVE) == ["core.so", "pydantic_core/__init__.py", code]


def test_nothing_else_is_left_on_the_shelf(shelf: Path) -> None:
    assert sorted(f.name for f in shelf.iterdir()) == [NATIVE, archive.LIBRARY]


def test_stubs_of_packages_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    jedi, stubs = "jedi-0.20-py3-none-any.whl", "jedi/third_party/typeshed"
    write_zip(tmp_path / archive.LIBRARY, {})
    write_zip(tmp_path / archive.COMPILED, {})
    held = {f"{stubs}/stubs/docutils/a.pyi": "", f"{stubs}/stdlib/abc.pyi": ""}
    write_zip(tmp_path / jedi, held)
    archive.merge(tmp_path, "cpython-314")
    assert names(tmp_path / jedi) == [f"{stubs}/stdlib/abc.pyi"]


def test_without_node_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"Node\.js is not installed"):
        archive.pack(tmp_path, {"python": "3.14.0"})


def test_a_lab_that_does_not_run_in_pyodide_is_an_error(tmp_path: Path) -> None:
    failing = 'export const loadPyodide = () => { throw new Error("no memory"); };'
    (tmp_path / "pyodide.mjs").write_text(failing, encoding="utf-8")
    with pytest.raises(LabError, match="does not run in Pyodide: no memory"):
        archive.pack(tmp_path, {"python": "3.14.0"})
