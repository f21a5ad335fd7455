"""In Pyodide, at build time: do what a learner does first, compile what that loaded.

Its Python is the only one that compiles for itself: other versions' code is no good.
"""

import importlib.util
import json
import marshal
import sys
from importlib import import_module
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from labkit.lab import lab_folder

NOTEBOOKS = ("00_start_here", "lesson_01_raw_tool_call")
UNCHECKED = 0b01  # a hash stands in it, and nobody compares: the two never part


async def main(path: str) -> None:
    """Work two notebooks, then write the code of each module that is loaded."""
    import_module("piplite.piplite")  # before the kernel, as in the browser
    kernel = import_module("pyodide_kernel").kernel_instance
    kernel.interpreter.send_comm = lambda *args, **kwargs: None  # no page listens
    for name in NOTEBOOKS:
        for source in _code_cells(name):
            await kernel.run(source)
    kernel.complete("lab.", len("lab."))
    if "openai" not in sys.modules:
        raise RuntimeError(f"the rehearsal came to nothing: {NOTEBOOKS}")
    _write_compiled(path)


def _write_compiled(path: str) -> None:
    """Write the code of all loaded modules, by the path of their source."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None) or ""
            read = getattr(module.__loader__, "get_data", None)  # a frozen one has none
            place = next((p for p in sys.path if p and file.startswith(f"{p}/")), None)
            if place and read and file.endswith(".py"):
                name = file.removeprefix(f"{place}/")
                archive.writestr(name, _compiled(read(file), file))


def _compiled(source: bytes, file: str) -> bytes:
    """The content of a .pyc file, as PEP 552 has it."""
    head = importlib.util.MAGIC_NUMBER + UNCHECKED.to_bytes(4, "little")
    code = compile(source, file, "exec", dont_inherit=True)
    return head + importlib.util.source_hash(source) + marshal.dumps(code)


def _code_cells(name: str) -> list[str]:
    text = (lab_folder() / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    cells: list[dict[str, Any]] = json.loads(text)["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
