"""The browser edition, worked as a learner works it, with no host but its own."""

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from labkit.authoring.build import sources
from labkit.checking.check import load_checker
from labkit.replay.server import Server
from tests.browser.notebook import Notebook
from tests.browser.test_lessons import all_passed, exercise_markers, solved_cells
from tests.serving import KEY, serving_recording
from tests.site.conftest import Site

LESSONS = [path for path in sources() if path.stem.startswith("lesson_")][:3]
MEGABYTE = 1_000_000
NATIVE = {"jiter", "pydantic_core"}
ASKING = """import getpass, os
os.environ["OPENAI_BASE_URL"] = "{}"
os.environ["OPENAI_API_KEY"] = getpass.getpass()
lab.live(Agent, "Where is order NW-1041?")
"""


class Lite(Notebook):
    """A notebook of the browser edition, and every host that its page asked."""

    def __init__(self, context: Any, site: Site, name: str) -> None:
        self.hosts: set[str] = set()
        context.on("request", self._note_host)
        super().__init__(context, site, name)

    def inputs(self) -> str:
        """The code of all cells."""
        cells = self.page.locator(".jp-CodeCell .jp-InputArea .cm-content")
        return "\n".join(cells.all_inner_texts())

    def _note_host(self, request: Any) -> None:
        if request.url.startswith("http"):
            self.hosts.add(urlsplit(request.url).netloc)


def letting_pages_ask(server: Server) -> list[str]:
    """From here on, pages may ask the server; the keys it is shown come back."""
    keys = []

    class Open(server.RequestHandlerClass):  # type: ignore[name-defined, misc]
        def do_OPTIONS(self) -> None:
            self.send_response(204)
            self.end_headers()

        def do_POST(self) -> None:
            keys.append(self.headers["authorization"])
            super().do_POST()

        def end_headers(self) -> None:
            self.send_header("access-control-allow-origin", "*")
            self.send_header("access-control-allow-headers", "authorization, *")
            super().end_headers()

    server.RequestHandlerClass = Open
    return keys


def unpacked_names(packed: Path) -> list[str]:
    """The names of all packed files."""
    with gzip.open(packed) as read:
        return [name for name, _ in json.loads(read.readline())]


def worker_files(notebook: Lite) -> list[str]:
    """The files that the page's workers run."""
    urls = [worker.url for worker in notebook.page.workers]
    return [Path(urlsplit(url).path).name for url in urls]


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def opened(chromium: Any, site: Site, source: Path) -> Iterator[Lite]:
    notebook = Lite(chromium, site, f"{source.stem}.ipynb")
    yield notebook
    notebook.close()


def test_the_site_is_small(site: Site) -> None:
    assert 20 * MEGABYTE < site.size < 60 * MEGABYTE
    assert not list(site.folder.rglob("*.map"))


def test_what_loads_first_is_compiled_and_the_rest_is_not(site: Site) -> None:
    shelf = site.folder / "static" / "pyodide"
    with ZipFile(shelf / "python_stdlib.zip") as archive:
        assert "json/__init__.pyc" in archive.namelist()
    there = set(unpacked_names(shelf / "packages.data"))
    code = "__pycache__/{}.cpython-314.pyc"
    assert f"openai/{code.format('__init__')}" in there
    assert f"jinja2/{code.format('runtime')}" in there
    assert "pygments/lexers/ada.py" in there
    assert f"pygments/lexers/{code.format('ada')}" not in there
    assert {wheel.name.split("-")[0] for wheel in shelf.glob("*.whl")} == NATIVE


def test_the_first_page_leads_to_the_first_notebook(chromium: Any, site: Site) -> None:
    page = chromium.new_page()
    page.goto(site.url)
    page.wait_for_url("**/lab/index.html?path=00_start_here.ipynb")
    page.close()


def test_a_lesson_is_worked_without_any_set_up(
    opened: Lite, site: Site, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened.run_all()
    assert "not started" in opened.outputs("lab.check(")
    card = opened.cell("lab.check(").last
    card.get_by_role("button", name="Next hint").click()
    card.get_by_text("Hint 1 of").or_(card.get_by_text("Hint 2 of")).wait_for()
    for marker, text in zip(exercise_markers(source), solved_cells(source)):
        opened.write(marker, text)
    opened.run_all()
    assert all_passed(opened.outputs("lab.check("))

    opened.save()
    opened.open()  # the kernel is a new one, the work is still there
    assert all_passed(opened.outputs("lab.check("))
    assert solved_cells(source)[0].splitlines()[-1] in opened.inputs()
    assert opened.hosts == {urlsplit(site.url).netloc}
    opened.run_all()
    started = time.perf_counter()
    opened.run_again("lab.check(")
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n{source.stem}: a check's answer on the page after {seconds:.2f} s")


def test_a_live_model_is_asked_with_a_typed_key(chromium: Any, site: Site) -> None:
    notebook = Lite(chromium, site, "lesson_03_loop.ipynb")
    with serving_recording("one_lookup") as server:
        keys = letting_pages_ask(server)
        notebook.write("lab.live(", ASKING.format(server.address))
        notebook.run_again("import openai")
        notebook.run_again("getpass()", type_in=KEY)
        told = notebook.outputs("getpass()")
    assert "Its status is" in told
    assert keys == [f"Bearer {KEY}"] * 2
    assert KEY not in notebook.page.content()
    notebook.close()


def test_the_kernel_takes_the_python_that_started_with_the_page(
    chromium: Any, site: Site
) -> None:
    notebook = Lite(chromium, site, "lesson_01_raw_tool_call.ipynb")
    assert worker_files(notebook) == ["worker.mjs"]
    notebook.menu("Kernel", "Restart Kernel…")
    notebook.page.get_by_role("button", name="Confirm Kernel Restart").click()
    for marker in ("lab = Lesson(", "LOOKUP_ORDER = {", "lab.check(LOOKUP_ORDER)"):
        notebook.run_again(marker)
    assert "not started" in notebook.outputs("lab.check(LOOKUP_ORDER)")
    (own,) = worker_files(notebook)
    assert own.startswith("comlink.worker.")
    notebook.close()


def test_the_first_tab_is_answered(chromium: Any, site: Site) -> None:
    notebook = Lite(chromium, site, "lesson_01_raw_tool_call.ipynb")
    notebook.run_again("lab = Lesson(")
    notebook.write("lab = Lesson(", "lab.")
    notebook.page.keyboard.press("Tab")
    notebook.page.locator(".jp-Completer-item", has_text="solution").wait_for()
    notebook.close()


def test_the_browser_keeps_what_it_compiled(chromium: Any, site: Site) -> None:
    passed: list[str] = []
    chromium.on(
        "response", lambda r: passed.append(r.url) if r.from_service_worker else None
    )
    notebook = Lite(chromium, site, "lesson_01_raw_tool_call.ipynb")
    notebook.open()  # by now the service worker is there
    notebook.run_again("lab = Lesson(")
    assert passed
    assert [url for url in passed if "/api/" not in url] == []
    notebook.close()


def test_how_long_the_first_answer_takes(
    returning: Any, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = LESSONS[0]
    assert load_checker(lesson.stem).checks
    for cache in ("cold", "warm", "warm"):
        started = time.perf_counter()
        notebook = Lite(returning, site, f"{lesson.stem}.ipynb")
        notebook.menu("Run", "Run All Cells")
        notebook.cell("lab.check(").locator(".labkit-report").first.wait_for()
        seconds = time.perf_counter() - started
        with capsys.disabled():
            print(f"\nfirst check answered {seconds:.1f} s after opening ({cache})")
        notebook.close()


def test_the_notebooks_are_the_learners(site: Site) -> None:
    for source in sources():
        file = site.folder / "files" / f"{source.stem}.ipynb"
        notebook = json.loads(file.read_text(encoding="utf-8"))
        assert notebook["metadata"]["kernelspec"]["name"] == "python"
