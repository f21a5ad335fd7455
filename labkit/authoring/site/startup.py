"""What a page of a built site starts with: Python at once, and files unhindered."""

import hashlib
import json
import shutil
from pathlib import Path

from labkit.authoring.site.wheels import KERNEL
from labkit.errors import LabError

HERE = Path(__file__).parent
PYTHON = "static/pyodide"
PAGE = "lab/index.html"
# The kernel's worker runs as it is; Python has started by the time it asks for it.
WORKER = 'import "{kernel}";\nimport "{python}";\n'
SCRIPT = '<script src="../{}" data-kernel="../{}" data-early="../{}"></script>'
# What passes through a service worker is compiled anew at each visit; only what
# answers for the learner's files has to.
PASSING = """\
self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (!pathname.includes("/api/")) event.stopImmediatePropagation();
});
"""


def start_early(site: Path) -> None:
    """Have Python start with the page: while JupyterLab starts, not when that is done.

    Raises LabError if the site is not what we know how to change.
    """
    shelf = site / PYTHON
    for name in ("python.mjs", "early.js"):
        shutil.copy(HERE / name, shelf)
    build = _mark(shelf)
    python, kernel = f"python.mjs?{build}", _kernels_worker(site)
    worker = WORKER.format(kernel=f"../../{kernel}", python=f"./{python}")
    (shelf / "worker.mjs").write_text(worker, encoding="utf-8")
    first, early = (f"{PYTHON}/{n}?{build}" for n in ("early.js", "worker.mjs"))
    _insert(site / PAGE, SCRIPT.format(first, kernel, early))
    _set_address(site / "jupyter-lite.json", f"./{PYTHON}/{python}")


def _mark(shelf: Path) -> str:
    """Of all that lies there: where a browser keeps files, two builds must not meet."""
    files = sorted(path for path in shelf.iterdir() if path.is_file())
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:8]


def let_files_pass(site: Path) -> None:
    """Have the browser fetch and keep the site's files as it does on any page."""
    worker = site / "service-worker.js"
    theirs = worker.read_text(encoding="utf-8")
    worker.write_text(PASSING + theirs, encoding="utf-8")


def _kernels_worker(site: Path) -> str:
    """Where the worker lies that the kernel runs in on an ordinary page."""
    folder = site / "extensions" / KERNEL / "static"
    match list(folder.glob("comlink.worker.*.js")):
        case [worker]:
            return worker.relative_to(site).as_posix()
        case _:
            raise LabError(f"{KERNEL} has no comlink worker; how does it run Python?")


def _insert(page: Path, script: str) -> None:
    html = page.read_text(encoding="utf-8")
    if html.count("<head>") != 1:
        raise LabError(f"JupyterLite's {page.name} has not one <head>.")
    page.write_text(html.replace("<head>", f"<head>\n{script}"), encoding="utf-8")


def _set_address(file: Path, address: str) -> None:
    """JupyterLite itself always names its own of a built site."""
    settings = json.loads(file.read_text(encoding="utf-8"))
    plugins = settings["jupyter-config-data"]["litePluginSettings"]
    plugins[f"{KERNEL}:kernel"]["pyodideUrl"] = address
    file.write_text(json.dumps(settings), encoding="utf-8")
