"""The fields of one tool call, from the tools' schemas; broken ones can be written."""

import json
from typing import Any

import ipywidgets as widgets

from labkit.display.panels.controls import NAMED, WIDE

OTHER = "another name"


class CallFields:
    """A choice of tools, and for the chosen one a field for each argument.

    Arguments may be written as raw text too, JSON or not, and the tool may be one that
    nobody has.
    """

    def __init__(self, tools: list[dict[str, Any]]) -> None:
        functions = [tool["function"] for tool in tools]
        self.parameters = {f["name"]: f["parameters"] for f in functions}
        self.tool = widgets.ToggleButtons(
            options=[*self.parameters, OTHER],
            description="Ask for a tool",
            style={"description_width": "initial", "button_width": "auto"},
        )
        self.name = _text("tool name", "such as delete_order")
        self.is_raw = widgets.Checkbox(
            description="write the arguments as raw text",
            indent=False,
            layout=widgets.Layout(margin="0 0 0 176px", width="auto"),
        )
        self.raw = widgets.Textarea(
            description="arguments", rows=2, style=NAMED, layout=WIDE
        )
        self.given: dict[str, widgets.Text] = {}
        self.shown = widgets.VBox()
        self.box = widgets.VBox([self.tool, self.shown])
        self.tool.observe(lambda _: self._choose(), "value")
        self.is_raw.observe(lambda _: self._spell_out(), "value")
        self._choose()

    def call(self) -> dict[str, str]:
        """The call as it stands, for `by_hand`: its tool and the text of its arguments.

        An empty field is left out, so a call may lack what it needs.
        """
        name = self.name.value if self._is_other else str(self.tool.value)
        raw = self.raw.value if self._is_raw else self._arguments()
        return {"tool": name, "arguments": raw}

    def clear(self) -> None:
        """Empty all fields; the tool stays."""
        for field in (*self.given.values(), self.raw, self.name):
            field.value = ""

    @property
    def _is_other(self) -> bool:
        return bool(self.tool.value == OTHER)

    @property
    def _is_raw(self) -> bool:
        return self._is_other or bool(self.is_raw.value)

    def _choose(self) -> None:
        """Fields for the chosen tool, as for any tool that was never spelled out."""
        self.is_raw.value = False
        known = self.parameters.get(str(self.tool.value), {})
        needed = known.get("required", [])
        self.given = {
            name: _text(
                name if name in needed else f"{name} (optional)", _about(schema)
            )
            for name, schema in known.get("properties", {}).items()
        }
        self.raw.value = "" if self._is_other else self._arguments()
        self._show()

    def _spell_out(self) -> None:
        """Begin the raw text with what stands in the fields."""
        self.raw.value = self._arguments()
        self._show()

    def _show(self) -> None:
        fields = [self.raw] if self._is_raw else list(self.given.values())
        head = [self.name] if self._is_other else []
        switch = [] if self._is_other else [self.is_raw]
        self.shown.children = [*head, *fields, *switch]

    def _arguments(self) -> str:
        """The arguments in the fields as JSON, numbers as numbers where they are."""
        known = self.parameters.get(str(self.tool.value), {}).get("properties", {})
        given = {name: field.value for name, field in self.given.items()}
        return json.dumps(
            {
                name: _number(text) if known[name]["type"] == "number" else text
                for name, text in given.items()
                if text
            },
            ensure_ascii=False,
        )


def _text(title: str, about: str) -> widgets.Text:
    return widgets.Text(
        description=title,
        placeholder=about,
        tooltip=about,
        style=NAMED,
        layout=WIDE,
    )


def _about(schema: dict[str, Any]) -> str:
    """What the schema says of an argument, with the values that it lists."""
    values = ", ".join(schema.get("enum", []))
    return f"{schema.get('description', '')} {values}".strip()


def _number(text: str) -> Any:
    """The number in a text; a text that holds none stays as it is, for the agent."""
    try:
        number = json.loads(text)
    except ValueError:
        return text
    return number if isinstance(number, int | float) else text
