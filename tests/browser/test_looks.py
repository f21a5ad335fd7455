"""What the first notebook shows, and that nothing a stranger wrote acts on the page."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import Server
from tests.browser.looks import in_both_themes
from tests.browser.notebook import Notebook

pytestmark = pytest.mark.xdist_group("browser")

EVIL = "<script>window.acted = 1</script><img src=x onerror='window.acted = 1'>"
STRANGERS = f'''
class MyAgent(Agent):
    def step(self, result):
        print("{EVIL}")
        raise ValueError("{EVIL}")

question = "{EVIL}"
replies = [{{"tool": "lookup_order", "order_id": "{EVIL}"}}, "{EVIL}"]
display(lab.check(MyAgent))
display(lab.watch(MyAgent, "shipping_chain"))
display(lab.be_the_model(Agent, question, replies))
'''


@pytest.fixture
def first(chromium: Any, server: Server) -> Iterator[Notebook]:
    """The first notebook, run from top to bottom."""
    notebook = Notebook(chromium, server, "00_start_here.ipynb")
    notebook.run_all()
    yield notebook
    assert notebook.errors == []
    notebook.close()


def test_the_first_notebook_runs_and_can_be_read_in_both_themes(
    first: Notebook,
) -> None:
    assert "✗" in first.outputs("lab.wrong(")
    assert " of 9 checks" in first.outputs(".progress()")  # as far as others came
    in_both_themes(
        first.page,
        first_card=first.output("lab.wrong("),
        first_model=first.output("be_the_model"),
        first_progress=first.output(".progress()"),
    )


def test_what_strangers_wrote_is_shown_and_not_run(first: Notebook) -> None:
    marker = 'lab.hint("step")'
    first.write(marker, STRANGERS)
    first.run_again("class MyAgent(Agent):")
    shown = first.outputs("class MyAgent(Agent):")
    assert shown.count("<script>") >= 4
    assert "onerror=" in shown
    for page in range(2):
        assert first.page.evaluate("window.acted") is None
        assert first.page.locator(".jp-OutputArea img[src=x]").count() == 0
        if page == 0:
            first.save()
            first.open()
    in_both_themes(first.page, strangers=first.output("class MyAgent(Agent):"))
