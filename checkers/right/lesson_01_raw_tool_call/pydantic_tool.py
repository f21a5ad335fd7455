import openai
from pydantic import BaseModel, Field

from labkit import MODEL, Call


class LookupOrder(BaseModel):
    """Item, price and status of an order, for when a customer names one."""

    order_id: str = Field(description="NW- and four digits")


LOOKUP_ORDER = openai.pydantic_function_tool(LookupOrder, name="lookup_order")


def ask(client, question):
    return (
        client.chat.completions.create(
            model=MODEL,
            messages=[dict(role="user", content=question)],
            tools=[LOOKUP_ORDER],
        )
        .choices[0]
        .message
    )


def parse_tool_calls(message):
    return [
        Call(id=c.id, name=c.function.name, arguments=c.function.arguments)
        for c in message.tool_calls or ()
    ]
