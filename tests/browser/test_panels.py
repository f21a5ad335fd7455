"""Panels in a real JupyterLab: sliders set budgets, buttons are waited for."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import TOKEN, Server
from tests.browser.notebook import Notebook

pytestmark = pytest.mark.xdist_group("browser")

Open = Callable[..., Notebook]
# A notebook with all panels in it, whatever the lessons hold.
PANELS = [
    "from labkit import Agent, Lesson",
    'Lesson("lesson_05_errors").be_the_model(Agent)',
    'Lesson("lesson_04_budgets").meter(Agent, "runaway")',
    'Lesson("lesson_07_truncation_and_trace").chart(Agent, "crate_by_the_table")',
]


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


def test_a_refused_refund_leaves_the_money_where_it_is(opened: Open) -> None:
    notebook = opened("lesson_06_guardrail")
    notebook.menu("Run", "Run All Cells")
    cell = notebook.cell("lab.play(").last
    deny = cell.get_by_role("button", name="Deny")
    deny.wait_for()
    assert "is above the limit 100" in cell.inner_text()
    notebook.page.wait_for_function("document.activeElement.innerText.trim() == 'Deny'")
    notebook.page.keyboard.press("Enter")
    cell.locator(".labkit-conversation").wait_for()
    assert "paid back" not in cell.inner_text()


def test_the_model_is_played_to_an_answer(opened: Open, server: Server) -> None:
    notebook = opened(panels(server))
    notebook.run_all()
    cell = notebook.cell("be_the_model").last
    cell.get_by_label("order_id").fill("NW-1041")
    cell.get_by_role("button", name="Send this call").click()
    cell.get_by_text("Request 2: 4 messages").wait_for()
    assert "storage crate" in cell.inner_text()
    cell.get_by_label("answer").fill("<img src=x onerror=alert(1)> 11.2 kg")
    cell.get_by_role("button", name="Send the answer").click()
    cell.get_by_text("answered: 2 steps, 1 tool run").wait_for()
    assert "<img src=x onerror=alert(1)> 11.2 kg" in cell.inner_text()
    assert cell.get_by_role("button", name="Send the answer").is_hidden()
    cell.get_by_role("button", name="New conversation").click()
    cell.get_by_text("Request 1: 2 messages").wait_for()


def test_the_model_is_refused_and_may_think_again(opened: Open, server: Server) -> None:
    notebook = opened(panels(server), dark=True)
    notebook.run_all()
    cell = notebook.cell("be_the_model").last
    cell.get_by_role("button", name="refund").click()
    cell.get_by_label("order_id").fill("NW-7411")
    cell.get_by_label("amount").fill("640")
    cell.get_by_role("button", name="Add another call").click()
    cell.get_by_text("These calls wait").wait_for()
    cell.get_by_role("button", name="another name").click()
    cell.get_by_label("tool name").fill("delete_order")
    cell.get_by_label("arguments").fill("{not JSON")
    cell.get_by_role("button", name="Send 2 calls").click()
    cell.get_by_text("Request 2: 5 messages").wait_for()
    assert "denied: 640.0 for this order is above the limit 100" in cell.inner_text()
    assert "JSONDecodeError" in cell.inner_text()
    cell.get_by_role("button", name="Take back").click()
    cell.get_by_text("Request 1: 2 messages").wait_for()


def test_a_price_changes_the_bill(opened: Open, server: Server) -> None:
    notebook = opened(panels(server))
    notebook.run_all()
    cell = notebook.cell(".meter(").last
    bill = cell.locator("table.labkit-meter")
    bill.get_by_text("154,312").wait_for()  # it has ticked to its end
    before = bill.inner_text()
    price = cell.get_by_label("price of tokens in")
    price.fill("4")
    price.press("Enter")
    cell.get_by_text("at 4.00 dollars per million tokens in").wait_for()
    assert bill.inner_text() != before
    price.fill("-4")
    price.press("Enter")
    cell.get_by_text("at 0.00 dollars per million tokens in").wait_for()


def test_the_chart_of_tokens_follows_its_slider(opened: Open, server: Server) -> None:
    notebook = opened(panels(server), dark=True)
    notebook.run_all()
    cell = notebook.cell(".chart(").last
    drawn = cell.locator(".vega-embed canvas")
    drawn.wait_for()
    assert drawn.bounding_box()["width"] > 300
    before = drawn.screenshot()
    cell.get_by_text("Results of at most 8,000 characters").wait_for()
    cell.get_by_role("slider").press("Home")
    cell.get_by_text("Results of at most 200 characters").wait_for()
    while drawn.screenshot() == before:
        notebook.page.wait_for_timeout(50)


def test_a_notebook_opened_again_shows_what_was_there_without_controls(
    opened: Open, server: Server
) -> None:
    notebook = opened(panels(server))
    notebook.run_all()
    notebook.cell(".meter(").last.get_by_text("154,312").wait_for()
    notebook.save()
    end_kernels(server)
    notebook.open()
    text = notebook.page.inner_text(".jp-Notebook")
    for expected in (
        "Request 1: 2 messages",
        "step_budget",
        "Results of at most 8,000",
    ):
        assert expected in text
    assert text.count("Run this cell again to have its controls back") == 3
    assert "Error" not in text
    notebook.page.locator(".vega-embed canvas").wait_for()


def panels(server: Server) -> str:
    """The name of a notebook in the learner's folder with all panels in it."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(PANELS)
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "cells": cells}
    notebook["metadata"] = {"kernelspec": kernel}
    (server.work / "panels.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return "panels"


def end_kernels(server: Server) -> None:
    """End all that runs, as when JupyterLab was closed in between."""
    sessions = f"{server.url}/api/sessions"
    with urllib.request.urlopen(f"{sessions}?token={TOKEN}") as answer:
        ids = [session["id"] for session in json.load(answer)]
    for id in ids:
        url = f"{sessions}/{id}?token={TOKEN}"
        urllib.request.urlopen(urllib.request.Request(url, method="DELETE")).close()
