"""One object, two faces: HTML in a notebook, text anywhere else."""

import os
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any


class Face:
    """Something to be shown; with LABKIT_DISPLAY=text only its text is.

    The text is what nbval compares, so it must be the same each time.
    """

    def __init__(self, text: str, html: str) -> None:
        self.text = text
        self.html = html

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if is_text_only():
            return {"text/plain": self.text}
        return {"text/plain": self.text, "text/html": self.html}


def is_text_only() -> bool:
    """Whether everything shows as text: in notebooks that nbval compares."""
    return os.environ.get("LABKIT_DISPLAY") == "text"


def in_notebook() -> bool:
    """Whether somebody works in a notebook here; nbval's runs do not count."""
    ipython = None if is_text_only() else sys.modules.get("IPython")
    return bool(ipython and hasattr(ipython.get_ipython(), "kernel"))


def is_live() -> bool:
    """Whether widgets work here: a notebook with ipywidgets."""
    return in_notebook() and find_spec("ipywidgets") is not None


def rendered(template: str, **fields: Any) -> str:
    """A template of this folder with its fields; whatever they hold is escaped."""
    html: str = _environment().get_template(template).render(**fields)
    return html


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("labkit.display", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
