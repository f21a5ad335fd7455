"""A real JupyterLab, started as a learner starts it, and a real Chromium."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright import sync_api

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TOKEN = "for-this-test"
SETTINGS = {
    # Otherwise cells that are scrolled out of view are not on the page at all.
    "notebook-extension/tracker": {"windowingMode": "none"},
    # The browser says whether it is light or dark.
    "apputils-extension/themes": {"adaptive-theme": True},
    "apputils-extension/notification": {"fetchNews": "false"},
}


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: where it answers, and the learner's folder."""

    url: str
    work: Path

    def page_of(self, notebook: str) -> str:
        return f"{self.url}/lab/tree/{notebook}?token={TOKEN}&reset"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("learner")
    config = folder / "config" / "jupyter_server_config.json"
    config.parent.mkdir()
    # Only because tests may run as root, where jupyter asks to be told twice.
    config.write_text(json.dumps({"ServerApp": {"allow_root": True}}))
    for name, setting in SETTINGS.items():
        path = config.parent / "lab/user-settings/@jupyterlab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".jupyterlab-settings").write_text(json.dumps(setting))
    port = free_port()
    environment = os.environ | {
        "HOME": str(folder),
        "JUPYTER_CONFIG_DIR": str(config.parent),
        "JUPYTER_TOKEN": TOKEN,
        "JUPYTER_PORT": str(port),
    }
    command = [sys.executable, "-m", "labkit.cli", "start", "--no-browser"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log
        )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{url}/api/status?token={TOKEN}", folder / "log")
        yield Server(url, folder / "work")
    finally:
        process.terminate()
        process.wait()


# Not for the session: while it lives, no other test could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here; install Debian's chromium to run these")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


# One context for all, so that JupyterLab is loaded once and then from cache.
# High enough that a picture of a whole conversation is not cut off.
@pytest.fixture(scope="module")
def chromium(browser: sync_api.Browser) -> sync_api.BrowserContext:
    return browser.new_context(viewport={"width": 1200, "height": 2000})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, log: Path) -> None:
    """Until the server answers; what it said if it does not within a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")
