"""`labkit assemble`: a folder with `agent.py`, its tools and the shop; no labkit."""

import importlib
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import labkit.agent
import labkit.shop
from labkit import faults
from labkit.assembly.join import PARTS, agent_py
from labkit.assembly.plain_code import literal
from labkit.assembly.saved import nearest, read_saved
from labkit.assembly.written import Written
from labkit.errors import LabError

GIVEN = (
    "calls",
    "dispatcher",
    "evals",
    "guardrail",
    "log",
    "replies",
    "result",
    "sending",
    "truncation",
)
RENAMED = {
    "from labkit.agent import replies": "from given import replies",
    "labkit.agent.": "given.",
    "labkit.shop.": "shop.",
    "labkit.faults": "shop.faults",
}


def assemble(here: Path, out: Path) -> list[str]:
    """Write the assembled agent into `out`; a sentence for each thing worth saying.

    A file that is there already and differs is kept beside the new one. Raises LabError
    if no part has been passed yet.
    """
    parts = read_saved(here)
    if not parts.keys() & {*PARTS}:
        raise LabError(
            f"{nearest(here)} holds no part yet; a part is kept when all its checks "
            "have passed in a notebook."
        )
    told = []
    for name, text in _files(parts):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_text(encoding="utf-8") != text:
            kept = _free_name(path)
            path.rename(kept)
            told.append(f"your {path} differed; it is kept as {kept.name}")
        path.write_text(text, encoding="utf-8")
    return [*told, *_summary(parts, out)]


def _files(parts: dict[str, Written]) -> Iterator[tuple[str, str]]:
    """Every file of the folder: its name and its text."""
    schema = parts.get("LOOKUP_ORDER")
    if schema:
        yield "tools.py", _tools_py(schema)
    yield "agent.py", agent_py(parts, "tools" if schema else "shop")
    evals = [parts[name] for name in ("score", "evaluate") if name in parts]
    if evals:
        yield "evals.py", _evals_py(evals)
    yield from _package("given", Path(labkit.agent.__file__).parent, GIVEN)
    yield "given/__init__.py", _given_init()
    shop = Path(labkit.shop.__file__).parent
    names = sorted(path.stem for path in shop.glob("[a-z]*.py"))
    yield from _package("shop", shop, names)
    yield "shop/cases.json", (shop / "cases.json").read_text(encoding="utf-8")
    yield "shop/faults.py", Path(faults.__file__).read_text(encoding="utf-8")
    yield "shop/__init__.py", _renamed((shop / "__init__.py").read_text("utf-8"))


def _package(
    name: str, folder: Path, modules: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """The modules of a folder of ours, as a package of this name."""
    for module in modules:
        text = (folder / f"{module}.py").read_text(encoding="utf-8")
        yield f"{name}/{module}.py", _renamed(text)


def _given_init() -> str:
    """The package's own file: every public name of its modules."""
    lines = ['"""What the lab gives: all that its lessons did not ask for."""', ""]
    for name in GIVEN:
        module = importlib.import_module(f"labkit.agent.{name}")
        own = sorted(n for n, v in vars(module).items() if _is_own(module, n, v))
        listed = textwrap.wrap(", ".join(own), 60)
        lines += [f"from given.{name} import {some.rstrip(',')}" for some in listed]
    return "\n".join([*lines, ""])


def _is_own(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a module defines a public name itself."""
    where = getattr(value, "__module__", None)
    return not name.startswith("_") and where == module.__name__


def _renamed(text: str) -> str:
    for old, new in RENAMED.items():
        text = text.replace(old, new)
    return text


def _tools_py(schema: Written) -> str:
    return (
        '"""The tools, the first of them with the schema I wrote."""\n\n'
        "from shop import TOOLS as GIVEN\n\n"
        f"LOOKUP_ORDER = {literal(schema.value)}\n\n"
        "TOOLS = [LOOKUP_ORDER, *GIVEN[1:]]\n"
    )


def _evals_py(parts: list[Written]) -> str:
    imports = sorted({line for part in parts for line in part.imports})
    own = {name: code for part in parts for name, code in part.functions.items()}
    given = sorted({name for part in parts for name in part.given} - own.keys())
    helpers = {n: c for part in parts for n, c in part.definitions.items()}
    helpers = {name: code for name, code in helpers.items() if name not in own}
    head = "\n".join([*imports, f"from given import {', '.join(given)}"])
    pieces = ['"""Evals: what I ask of an answer."""\n\n' + head]
    return "\n\n\n".join([*pieces, *helpers.values(), *own.values()]) + "\n"


def _summary(parts: dict[str, Written], out: Path) -> Iterator[str]:
    *_, last = (out / "agent.py").read_text(encoding="utf-8").splitlines()
    yield f"wrote {out / 'agent.py'}: {last.removeprefix('# ')}"
    if lacking := [name for name in PARTS if name not in parts]:
        yield f"not yours yet: {', '.join(lacking)}"


def _free_name(path: Path) -> Path:
    names = (f"{path.stem}.before-{n}{path.suffix}" for n in range(1, 1000))
    return next(p for p in map(path.with_name, names) if not p.exists())
