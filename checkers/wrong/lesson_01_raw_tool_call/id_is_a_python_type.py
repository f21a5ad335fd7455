"""fails: describes_one_function"""

from labkit import MODEL, Call

LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "Get the item, country, price and status of one order.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "str"}},
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
    calls = []
    for call in message.tool_calls or []:
        calls.append(Call(call.id, call.function.name, call.function.arguments))
    return calls
