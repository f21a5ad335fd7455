"""What is pure Python goes into one file, its code beside it; the rest stays."""

import gzip
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from labkit.authoring.site import packing
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
    write_zip(tmp_path / packing.LIBRARY, {"json/__init__.py": "", "this.py": ""})
    pure = {"openai/__init__.py": "", "openai/seldom.py": "text", "six.py": ""}
    write_zip(tmp_path / "openai-3.57.0-py3-none-any.whl", pure)
    write_zip(tmp_path / NATIVE, {"pydantic_core/__init__.py": "", "core.so": ""})
    loaded = ("json/__init__.py", "openai/__init__.py", "six.py")
    native = ("pydantic_core/__init__.py",)
    write_zip(tmp_path / packing.COMPILED, dict.fromkeys((*loaded, *native), "code"))
    packing.merge(tmp_path, "cpython-314")
    return tmp_path


def unpacked(path: Path) -> dict[str, str]:
    """A packed file as `python.mjs` reads it: the texts of all files by their names."""
    head, _, rest = gzip.decompress(path.read_bytes()).decode().partition("\n")
    files = {}
    for name, size in json.loads(head):
        files[name], rest = rest[:size], rest[size:]
    assert not rest
    return files


def test_the_code_of_the_standard_library_lies_beside_its_source(shelf: Path) -> None:
    assert names(shelf / packing.LIBRARY) == [
        "json/__init__.py",
        "json/__init__.pyc",
        "this.py",
    ]


def test_a_pure_wheel_is_packed_with_the_code_of_what_is_loaded(shelf: Path) -> None:
    assert unpacked(shelf / packing.PACKED) == {
        "openai/__init__.py": "",
        "openai/__pycache__/__init__.cpython-314.pyc": "code",
        "openai/seldom.py": "text",
        "six.py": "",
        "__pycache__/six.cpython-314.pyc": "code",
    }


def test_a_native_wheel_stays_one_and_has_its_code_where_python_looks(
    shelf: Path,
) -> None:
    code = "pydantic_core/__pycache__/__init__.cpython-314.pyc"
    assert names(shelf / NATIVE) == ["core.so", "pydantic_core/__init__.py", code]


def test_nothing_else_is_left_on_the_shelf(shelf: Path) -> None:
    left = sorted(file.name for file in shelf.iterdir())
    assert left == [packing.PACKED, NATIVE, packing.LIBRARY]


def test_the_same_files_are_packed_into_the_same_bytes() -> None:
    files = {"a.py": b"1", "b.py": b""}
    assert packing.packed(files) == packing.packed(files)


def test_stubs_of_packages_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    jedi, stubs = "jedi-0.20-py3-none-any.whl", "jedi/third_party/typeshed"
    write_zip(tmp_path / packing.LIBRARY, {})
    write_zip(tmp_path / packing.COMPILED, {})
    held = {f"{stubs}/stubs/docutils/a.pyi": "", f"{stubs}/stdlib/abc.pyi": ""}
    write_zip(tmp_path / jedi, held)
    packing.merge(tmp_path, "cpython-314")
    assert list(unpacked(tmp_path / packing.PACKED)) == [f"{stubs}/stdlib/abc.pyi"]


def test_without_node_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"Node\.js is not installed"):
        packing.pack(tmp_path, {"python": "3.14.0"})


def test_a_lab_that_does_not_run_in_pyodide_is_an_error(tmp_path: Path) -> None:
    failing = 'export const loadPyodide = () => { throw new Error("no memory"); };'
    (tmp_path / "pyodide.mjs").write_text(failing, encoding="utf-8")
    (tmp_path / "pyodide-lock.json").write_text('{"packages": {}}', encoding="utf-8")
    with pytest.raises(LabError, match="does not run in Pyodide: no memory"):
        packing.pack(tmp_path, {"python": "3.14.0"})
