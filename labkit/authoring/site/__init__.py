"""The lab as a static site: JupyterLite, Pyodide and labkit, from one clone.

Nothing but the built folder is needed to serve it, and the page asks no other host.
"""

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from labkit.authoring.site import packing, pyodide, wheels
from labkit.authoring.site.startup import let_files_pass, start_early
from labkit.errors import LabError
from labkit.grading.autograder.wheel import build_wheel
from labkit.lab import lab_folder

KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
PLUGIN = f"{wheels.KERNEL}:kernel"
# The kernel would fetch these one by one were they not named (its worker.ts).
THERE = (
    *("micropip", "piplite"),
    *("ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"),
)
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Loop Lab",
        "litePluginSettings": {
            PLUGIN: {
                "disablePyPIFallback": True,
                "loadPyodideOptions": {"packages": THERE},
            }
        },
        "settingsOverrides": {
            "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
            # No server takes widgets out of a file here, so their state is saved too.
            "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
            # The first completion takes longer here than the second that is usual.
            "@jupyterlab/completer-extension:manager": {"providerTimeout": 5000},
        },
    },
}
# JupyterLite's pages find their settings by the script in the head.
WELCOME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<script id="jupyter-config-data" type="application/json" data-jupyter-lite-root=".">
{}</script>
<title>Loop Lab</title>
<meta http-equiv="refresh" content="0; url=lab/index.html?path=00_start_here.ipynb">
</head>
<body><a href="lab/index.html?path=00_start_here.ipynb">Open the lab</a></body>
</html>
"""


def build_site(out: Path) -> int:
    """Build the site into a new folder; its size in bytes is what comes back.

    Raises LabError if something is there already, if a tool is missing, or if a wheel
    is not the one whose hash `requirements-site.txt` holds.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise LabError(f"{out} is there already; give a folder that is new or empty.")
    with TemporaryDirectory() as name:
        folder = Path(name)
        shelf = folder / "static" / "pyodide"
        shelf.mkdir(parents=True)
        python = wheels.environment(folder / "environment")
        wheels.take_kernel(folder / "environment", shelf)
        _fill(shelf)
        _write_notebooks(folder / "files")
        (folder / "jupyter-lite.json").write_text(json.dumps(SETTINGS))
        _run_jupyterlite(python, folder, built := folder / "built")
        for source_map in built.rglob("*.map"):
            source_map.unlink()
        (built / "index.html").write_text(WELCOME, encoding="utf-8")
        start_early(built)
        let_files_pass(built)
        shutil.copytree(built, out, dirs_exist_ok=True)
    return sum(file.stat().st_size for file in out.rglob("*") if file.is_file())


def _fill(shelf: Path) -> None:
    """Pyodide, the wheels, and the list of them that Pyodide goes by."""
    lock = pyodide.fetch(shelf)
    wheels.fetch(shelf)
    build_wheel(shelf)
    packages = wheels.packages(shelf, lock["info"])
    _write_list(shelf, lock | {"packages": packages})
    packing.pack(shelf, lock["info"])
    native = wheels.packages(shelf, lock["info"], packed=packages)
    _write_list(shelf, lock | {"packages": native})


def _write_list(shelf: Path, lock: dict[str, Any]) -> None:
    (shelf / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def _write_notebooks(folder: Path) -> None:
    """The learner's notebooks, each for the kernel that runs in a browser."""
    folder.mkdir()
    for source in sorted((lab_folder() / "notebooks").glob("*.ipynb")):
        notebook = json.loads(source.read_text(encoding="utf-8"))
        notebook["metadata"]["kernelspec"] = KERNEL
        (folder / source.name).write_text(json.dumps(notebook), encoding="utf-8")


def _run_jupyterlite(python: Path, folder: Path, built: Path) -> None:
    words = ["build", "--contents", "files", "--output-dir", str(built)]
    done = subprocess.run(
        [python, "-m", "jupyterlite_core", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise LabError(f"jupyter lite build failed: {' '.join(last)}")
