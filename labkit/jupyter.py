"""What the lab adds to a Jupyter server: a saved notebook keeps no dead controls.

A slider lives in the kernel. Opened again without it, its output would be an error, so
it is left out of the file; what stands beside it as HTML and text stays.
"""

from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "labkit.jupyter"}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(without_widgets)


def without_widgets(model: dict[str, Any], **_: Any) -> None:
    """Take the widgets out of a notebook that is about to be saved."""
    if model.get("type") != "notebook" or not model.get("content"):
        return
    for cell in model["content"].get("cells", []):
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
