from typing import Any

from openai import OpenAI
from openai.types.chat import (
    ChatCompletionMessage,
    ChatCompletionMessageFunctionToolCall,
    ChatCompletionToolParam,
)

from labkit import MODEL, Call

LOOKUP_ORDER: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "Find the order with this number: price, country, what is in it",
        "strict": True,
        "parameters": {
            "type": "object",
            "title": "Look-up",
            "properties": {
                "order_id": {"type": "string", "examples": ["NW-1041"]},
            },
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
}


def ask(client: OpenAI, question: str) -> ChatCompletionMessage:
    messages: Any = [{"role": "user", "content": f"A customer asks: {question}"}]
    completion = client.chat.completions.create(
        messages=messages, model=MODEL, tools=[LOOKUP_ORDER], n=1, stream=False
    )
    for choice in completion.choices:
        return choice.message
    raise ValueError("the reply has no choice")


def parse_tool_calls(message: ChatCompletionMessage) -> list[Call]:
    calls: list[Call] = []
    if message.tool_calls is None:
        return calls
    for call in message.tool_calls:
        if isinstance(call, ChatCompletionMessageFunctionToolCall):
            calls.append(
                Call(
                    id=call.id,
                    name=call.function.name,
                    arguments=call.function.arguments,
                )
            )
    return calls
