from labkit import Call
from labkit.shop import SYSTEM, TOOLS

LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "Holt eine Bestellung mit Preis, Gewicht und Zielland.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
}


def ask(client, question):
    content = [{"type": "text", "text": question}]
    completion = client.with_options(timeout=20).chat.completions.create(
        model="some-other-model",
        messages=[
            {"role": "developer", "content": SYSTEM},
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": content},
        ],
        tools=[*TOOLS[1:], LOOKUP_ORDER],
        tool_choice="auto",
        temperature=0,
        parallel_tool_calls=True,
    )
    return completion.choices[0].message


def parse_tool_calls(message):
    if not message.tool_calls:
        return []
    ids = [call.id for call in message.tool_calls]
    functions = [call.function for call in message.tool_calls]
    return [Call(id, f.name, f.arguments) for id, f in zip(ids, functions)]
