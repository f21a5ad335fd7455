"""The loop as a typical tutorial writes it, faithful in what it leaves out.

It branches on the tool calls, reads the arguments with `json.loads` and answers with
`str(result)`. There is no budget, no guard, and nothing for what can go wrong. The
lab's client asks once; the stock one's two silent retries would bring this loop through
H01, H02 and H06, after a wait that nobody counts.
"""

import json
from collections.abc import Callable
from typing import Any

from labkit import Result


class MyAgent:
    """Takes what `labkit.Agent` takes, so that the same failures can be put to it."""

    def __init__(
        self,
        client: Any,
        tools: list[dict[str, Any]],
        functions: dict[str, Callable[..., Any]],
        *,
        model: str = "gpt-4.1-mini",
        system: str = "You are a helpful assistant.",
        **options: Any,
    ) -> None:
        self.client = client
        self.tools = tools
        self.functions = functions
        self.model = model
        self.system = system

    def run(self, question: str) -> Result:
        """Answer one question."""
        messages: list[Any] = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": question},
        ]
        while True:
            response = self.client.chat.completions.create(
                model=self.model, messages=messages, tools=self.tools
            )
            message = response.choices[0].message
            messages.append(message)
            if message.tool_calls:
                for tool_call in message.tool_calls:
                    function = self.functions[tool_call.function.name]
                    arguments = json.loads(tool_call.function.arguments)
                    result = function(**arguments)
                    messages.append(
                        {
                            "role": "tool",
                            "tool_call_id": tool_call.id,
                            "content": str(result),
                        }
                    )
            else:
                return Result(question, message.content, "answered", messages=messages)
