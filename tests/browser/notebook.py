"""A notebook in a real JupyterLab page, worked as a learner works it."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

MINUTE = 60_000
ALL_HAVE_RUN = """() => {
    const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')];
    return prompts.length && prompts.every(p => /\\[\\d+\\]/.test(p.textContent));
}"""


class Pages(Protocol):
    """Where notebooks are opened."""

    def page_of(self, notebook: str) -> str:
        """The address at which one is."""


class Notebook:
    """One open notebook; every error on the browser's console is kept."""

    def __init__(self, context: Any, server: Pages, name: str, dark: bool = False):
        self.server = server
        self.name = name
        self.errors: list[str] = []
        self.page = context.new_page()
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.page.set_default_timeout(MINUTE)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self._keep(str(error)))
        self.open()

    def open(self) -> None:
        """Open the notebook, or open it again, and wait for its kernel."""
        self.page.goto(self.server.page_of(self.name))
        self.page.wait_for_selector(".jp-Notebook .jp-Cell")
        self.page.wait_for_function(
            "() => /Python .*Idle/.test("
            "document.querySelector('#jp-main-statusbar')?.innerText)"
        )

    def run_all(self, look: Callable[[], None] = lambda: None) -> None:
        """Run every cell, as from the menu, and wait until the kernel is idle again.

        Where a cell waits for a person, the person takes a look and says no.
        """
        self.menu("Run", "Run All Cells")
        for _ in self._tries():
            if self.page.evaluate(ALL_HAVE_RUN):
                return
            for button in self.page.get_by_role("button", name="Deny").all():
                if button.is_visible():
                    look()
                    button.click()

    def menu(self, *names: str) -> None:
        first, *rest = names
        self.page.click(f'.lm-MenuBar-itemLabel:text-is("{first}")')
        for name in rest:
            self.page.click(f'.lm-Menu-itemLabel:text-is("{name}")')

    def write(self, marker: str, text: str) -> None:
        """Replace the cell that holds `marker` by a text, through the keyboard."""
        editor = self.cell(marker).first.locator(".cm-content")
        editor.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def cell(self, marker: str) -> Any:
        """The code cells whose input holds a text."""
        inputs = self.page.locator(".jp-InputArea", has_text=marker)
        return self.page.locator(".jp-CodeCell").filter(has=inputs)

    def output(self, marker: str) -> Any:
        """All that stands under the last code cell whose input holds a text."""
        return self.cell(marker).last.locator(".jp-Cell-outputWrapper")

    def outputs(self, marker: str) -> str:
        """What stands under all code cells whose input holds a text."""
        areas = self.cell(marker).locator(".jp-OutputArea-output")
        areas.first.wait_for(state="attached")
        return "\n".join(areas.all_inner_texts())

    def run_again(self, marker: str, type_in: str = "") -> None:
        """Run the last cell that holds a text, until its number has changed.

        `type_in` is what it asks for.
        """
        cell = self.cell(marker).last
        prompt = cell.locator(".jp-InputPrompt").first
        before = prompt.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        if type_in:
            self.page.locator(".jp-Stdin-input").fill(type_in)
            self.page.keyboard.press("Enter")
        for _ in self._tries():
            if prompt.inner_text() not in (before, "[*]:"):
                return

    def save(self) -> None:
        """Save, and again as long as something on the page still changes."""
        self.page.keyboard.press("Escape")
        for _ in self._tries():
            self.page.keyboard.press("Control+S")
            self.page.wait_for_timeout(500)
            if not self.page.locator(".jp-mod-dirty").count():
                return

    def close(self) -> None:
        self.page.close()

    def _tries(self) -> Iterator[None]:
        """Now and every few moments, for two minutes; then what went wrong is said."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            yield
            self.page.wait_for_timeout(20)
        raised = self.page.locator(
            "[data-mime-type*='error'], [data-mime-type*='stderr']"
        )
        raise TimeoutError(f"{self.name}: {raised.all_inner_texts()} {self.errors}")

    def _note(self, message: Any) -> None:
        if message.type == "error":
            self._keep(message.text)

    def _keep(self, error: str) -> None:
        """Keep an error, unless it is an extension's that happens to be installed."""
        if "/lab/extensions/" not in error or "@jupyter-widgets" in error:
            self.errors.append(error)
