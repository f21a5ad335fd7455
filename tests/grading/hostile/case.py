"""One submission of lesson 3 and the outcome it must get."""

import json
import textwrap
from dataclasses import dataclass

GOOD = """
from labkit import Agent, parse_tool_calls


class MyAgent(Agent):
    def step(self, result):
        response = self.call_model(result.messages)
        if response is None:
            return "provider_error"
        result.steps += 1
        result.tokens += self.count_tokens(result, result.messages, response)
        message = response.choices[0].message
        result.messages.append(message)
        calls = parse_tool_calls(message)
        if not calls:
            result.answer = message.content or ""
            return "answered"
        for call, content in zip(calls, self.execute_calls(result, calls)):
            text = self.on_tool_result(result, call, content)
            result.messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": text}
            )
"""


@dataclass(frozen=True)
class Case:
    """`outcome` is what the first check that is not passed must get, or "passed".

    Several words are alternatives, where Pythons differ. `without` is the outcome where
    there are no namespaces, if it differs; `seen` stands in the card.
    """

    name: str
    outcome: str
    code: str
    without: str = ""
    seen: str = ""
    notebook: bool = False

    def outcomes(self, namespaces: bool) -> list[str]:
        """The outcomes that are right."""
        return (
            self.outcome if namespaces or not self.without else self.without
        ).split()

    @property
    def file(self) -> str:
        """A name for it as a file."""
        return f"{self.name}.{'ipynb' if self.notebook else 'py'}"


def run(body: str) -> str:
    """A submission whose `run` has this body."""
    head = "from labkit import Agent, Result\n\n\nclass MyAgent(Agent):\n"
    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    return f"{head}    def run(self, question):\n{lines}\n"


def first(code: str) -> str:
    """A right solution that does something else before."""
    return textwrap.dedent(code).strip("\n") + "\n" + GOOD


def notebook(*cells: str) -> str:
    """A notebook of these code cells."""
    found = [{"cell_type": "code", "source": text, "metadata": {}} for text in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": found})
