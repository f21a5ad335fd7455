"""fails: makes_a_call_of_each"""

from labkit import MODEL, Call

LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "Get the item, country, price and status of one order.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
}


def ask(client, question):
    completion = client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": question}],
        tools=[LOOKUP_ORDER],
    )
    return completion.choices[0].message


def parse_tool_calls(message):
    for call in message.tool_calls or []:
        yield Call(call.id, call.function.name, call.function.arguments)
