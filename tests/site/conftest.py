"""The browser edition, built once and served as any static site is."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright import sync_api

from labkit.authoring.site import build_site
from tests.browser.conftest import CHROMIUM, FLAGS, browser

HERE = Path(__file__).parent
VIEWPORT: sync_api.ViewportSize = {"width": 1200, "height": 900}
__all__ = ["browser"]  # the same browser as JupyterLab's tests have


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("site")


class Pages(SimpleHTTPRequestHandler):
    """Serves files as a host of static pages does, and writes no log."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@dataclass
class Site:
    """A served site: where it lies and answers, and how many bytes it has."""

    folder: Path
    url: str
    size: int

    def page_of(self, notebook: str) -> str:
        return f"{self.url}/lab/index.html?path={notebook}"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if shutil.which("npm") is None:
        pytest.skip("no npm here, which brings Pyodide")
    folder = tmp_path_factory.mktemp("site") / "built"
    size = build_site(folder)
    _all_cells_on_the_page(folder / "jupyter-lite.json")
    handler = partial(Pages, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Site(folder, f"http://127.0.0.1:{server.server_port}", size)
        server.shutdown()


@pytest.fixture
def chromium(browser: sync_api.Browser) -> Iterator[sync_api.BrowserContext]:
    """A learner who was never here: nothing cached, nothing kept."""
    context = browser.new_context(viewport=VIEWPORT)
    yield context
    context.close()


@pytest.fixture
def returning(
    browser: sync_api.Browser, tmp_path: Path
) -> Iterator[sync_api.BrowserContext]:
    """A learner whose browser keeps what it has seen; a context of its own does not."""
    chromium = browser.browser_type
    context = chromium.launch_persistent_context(
        tmp_path, executable_path=CHROMIUM, args=FLAGS, viewport=VIEWPORT
    )
    yield context
    context.close()


def _all_cells_on_the_page(settings: Path) -> None:
    """Otherwise cells that are scrolled out of view are not on the page at all."""
    config = json.loads(settings.read_text(encoding="utf-8"))
    overrides = config["jupyter-config-data"]["settingsOverrides"]
    overrides["@jupyterlab/notebook-extension:tracker"] = {"windowingMode": "none"}
    settings.write_text(json.dumps(config), encoding="utf-8")
