"""What is shipped is what is pinned; anything else is an error at build time."""

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from labkit.authoring.site import wheels
from labkit.errors import LabError

INFO = {"python": "3.14.0", "arch": "wasm32"}


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of requirements-site.txt that a test may change; one wheel is shipped."""
    file = tmp_path / "requirements-site.txt"
    text = (wheels.lab_folder() / file.name).read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(wheels, "lab_folder", lambda: tmp_path)
    monkeypatch.setattr(wheels, "SHIPPED", ("sniffio", "markupsafe"))
    return file


def test_a_wheel_with_another_hash_is_refused(pins: Path, tmp_path: Path) -> None:
    text = pins.read_text(encoding="utf-8")
    entry = re.search(r"^sniffio==(?:.*\\\n)*.*\n", text, re.M)
    assert entry
    other = re.sub(r"sha256:[0-9a-f]{64}", f"sha256:{'0' * 64}", entry[0])
    pins.write_text(text.replace(entry[0], other), encoding="utf-8")
    with pytest.raises(LabError, match=r"not to be had.*HASHES"):
        wheels.fetch(tmp_path / "shelf")


def test_what_no_pin_names_is_named(pins: Path, tmp_path: Path) -> None:
    pins.write_text("", encoding="utf-8")
    with pytest.raises(LabError, match="pins no sniffio, markupsafe"):
        wheels.fetch(tmp_path / "shelf")


def test_a_wheel_that_lacks_what_it_needs_is_named(tmp_path: Path) -> None:
    _write_wheel(tmp_path, "one", requires="two")
    with pytest.raises(LabError, match="one needs two; ship it too"):
        wheels.packages(tmp_path, INFO)


def test_a_wheel_is_listed_with_what_it_needs_there(tmp_path: Path) -> None:
    _write_wheel(tmp_path, "one", requires="two; sys_platform == 'emscripten'")
    _write_wheel(tmp_path, "two", requires="three; sys_platform == 'win32'")
    found = wheels.packages(tmp_path, INFO)
    assert found["one"]["depends"] == ["two"]
    assert found["two"]["depends"] == []
    assert found["one"]["imports"] == ["one"]


def _write_wheel(folder: Path, name: str, requires: str) -> None:
    about = f"Name: {name}\nVersion: 1.0\nRequires-Dist: {requires}\n"
    with ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(f"{name}-1.0.dist-info/METADATA", about)
