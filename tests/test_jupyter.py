"""What the lab adds to a Jupyter server."""

from typing import Any

from labkit.jupyter import WIDGET, without_widgets


def saved(*outputs: dict[str, Any]) -> list[Any]:
    cells = [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": [*outputs]}]
    model = {"type": "notebook", "content": {"cells": cells}}
    without_widgets(model=model, path="a.ipynb", contents_manager=None)
    return [output.get("data") for output in cells[1]["outputs"]]


def test_a_notebook_is_saved_without_its_controls() -> None:
    output = {"data": {WIDGET: {"model_id": "5"}, "text/plain": "(run it again)"}}
    assert saved(output) == [{"text/plain": "(run it again)"}]


def test_other_outputs_stay_as_they_are() -> None:
    html = {"data": {"text/html": "<p>", "text/plain": "."}}
    assert saved(html, {"output_type": "stream", "text": "."}) == [html["data"], None]


def test_other_files_are_left_alone() -> None:
    without_widgets(model={"type": "file", "content": "text"})
    without_widgets(model={"type": "notebook", "content": None})
