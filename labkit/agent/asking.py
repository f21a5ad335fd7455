"""The first tool call: one question, one tool on offer, one message back."""

from typing import Any

from labkit.shop.schemas import LOOKUP_ORDER

MODEL = "gpt-4.1-mini"


def ask(client: Any, question: str) -> Any:
    """The model's message in reply to one question, with LOOKUP_ORDER on offer."""
    messages = [{"role": "user", "content": question}]
    completion = client.chat.completions.create(
        model=MODEL, messages=messages, tools=[LOOKUP_ORDER]
    )
    return completion.choices[0].message
