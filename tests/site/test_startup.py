"""A built site is changed where it starts, or one sentence says what is missing."""

import json
from pathlib import Path

import pytest

from labkit.authoring.site import startup, wheels
from labkit.errors import LabError

PLUGIN = f"{wheels.KERNEL}:kernel"
WORKER = f"extensions/{wheels.KERNEL}/static/comlink.worker.0a1b.js"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """As little of a site as is changed."""
    config = {"litePluginSettings": {PLUGIN: {"pyodideUrl": "./static/pyodide.mjs"}}}
    write(tmp_path / "jupyter-lite.json", json.dumps({"jupyter-config-data": config}))
    write(tmp_path / "lab/index.html", "<html><head>\n<title>Lab</title></head></html>")
    write(tmp_path / WORKER, "")
    write(tmp_path / "static/pyodide/packages.data", "files")
    write(tmp_path / "service-worker.js", "theirs();")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def address(site: Path) -> str:
    """Where the kernel looks for Python."""
    settings = json.loads((site / "jupyter-lite.json").read_text(encoding="utf-8"))
    plugins = settings["jupyter-config-data"]["litePluginSettings"]
    found: str = plugins[PLUGIN]["pyodideUrl"]
    return found


def test_the_worker_starts_python_from_the_address_that_the_kernel_has(
    site: Path,
) -> None:
    startup.start_early(site)
    worker = (site / "static/pyodide/worker.mjs").read_text(encoding="utf-8")
    assert f'import "../../{WORKER}";' in worker
    assert f'import "{address(site).replace("static/pyodide/", "")}";' in worker


@pytest.mark.parametrize("changed", ["packages.data", "pyodide-lock.json"])
def test_another_build_has_another_address(site: Path, changed: str) -> None:
    startup.start_early(site)
    first = address(site)
    (site / "static/pyodide/worker.mjs").unlink()
    page = site / "lab" / "index.html"
    page.write_text("<head></head>", encoding="utf-8")
    write(site / "static/pyodide" / changed, "other files")
    startup.start_early(site)
    assert first != address(site)


def test_the_script_stands_before_all_others(site: Path) -> None:
    startup.start_early(site)
    html = (site / "lab/index.html").read_text(encoding="utf-8")
    assert html.startswith('<html><head>\n<script src="../static/pyodide/early.js?')
    assert f'data-kernel="../{WORKER}"' in html


def test_a_kernel_without_its_worker_is_named(site: Path) -> None:
    (site / WORKER).unlink()
    with pytest.raises(LabError, match="has no comlink worker"):
        startup.start_early(site)


def test_a_page_without_a_head_is_named(site: Path) -> None:
    write(site / "lab/index.html", "<html></html>")
    with pytest.raises(LabError, match=r"index\.html has not one <head>"):
        startup.start_early(site)
