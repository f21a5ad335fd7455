"""Panels in a real JupyterLab: sliders set budgets, buttons are waited for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import Server
from tests.browser.notebook import Notebook

pytestmark = pytest.mark.xdist_group("browser")

Open = Callable[..., Notebook]


@pytest.fixture
def opened(chromium: Any, server: Server) -> Iterator[Open]:
    """Open a notebook, and see that the console stayed free of errors."""
    notebooks: list[Notebook] = []

    def open_notebook(lesson: str, dark: bool = False) -> Notebook:
        notebooks.append(Notebook(chromium, server, f"{lesson}.ipynb", dark))
        return notebooks[-1]

    yield open_notebook
    for notebook in notebooks:
        assert notebook.errors == []
        notebook.close()


def test_a_slider_sets_a_budget_and_the_bill_follows(opened: Open) -> None:
    notebook = opened("lesson_04_budgets")
    notebook.run_all()
    cell = notebook.cell("lab.meter(").last
    handles = cell.get_by_role("slider")
    for _ in range(5):
        handles.nth(0).press("ArrowLeft")
    bill = cell.locator("table.labkit-meter")
    bill.get_by_text("6", exact=True).last.wait_for()  # 3 steps of 2 calls
    handles.nth(3).press("End")
    bill.get_by_text("nothing: the file ends").wait_for()
    assert "154,312" in bill.inner_text()


@pytest.mark.parametrize(
    ("button", "dark", "told"),
    [("Approve", False, "640.0 paid back"), ("Deny", True, "denied: a person denied")],
)
def test_a_large_refund_waits_for_a_click(
    opened: Open, button: str, dark: bool, told: str
) -> None:
    notebook = opened("lesson_06_guardrail", dark)
    notebook.menu("Run", "Run All Cells")
    cell = notebook.cell("lab.play(").last
    cell.get_by_role("button", name=button).click()
    cell.locator(".labkit-conversation").get_by_text(told).first.wait_for()
    assert cell.get_by_role("button", name=button).count() == 0


def test_the_chart_of_tokens_is_drawn(opened: Open) -> None:
    notebook = opened("lesson_07_truncation_and_trace", dark=True)
    notebook.run_all()
    drawn = notebook.cell("lab.chart(").last.locator(".vega-embed canvas")
    drawn.wait_for()
    assert drawn.bounding_box()["width"] > 300
