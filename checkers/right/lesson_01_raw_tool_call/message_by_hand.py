from operator import attrgetter

from labkit import MODEL, Call

NAME = "lookup_order"
ORDER_ID = "order_id"
LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": f"Use {NAME} whenever an order is mentioned.",
        "parameters": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {ORDER_ID: {"type": "string", "description": "its id"}},
            "required": [ORDER_ID],
        },
    },
}


def ask(client, question):
    completion = client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": question}],
        tools=[LOOKUP_ORDER],
    )
    message = completion.choices[0].message
    calls = [call.model_dump() for call in message.tool_calls or []]
    return {"role": "assistant", "content": message.content or "", "tool_calls": calls}


def parse_tool_calls(message):
    fields = attrgetter("id", "function.name", "function.arguments")

    def rest(calls):
        return [Call(*fields(calls[0])), *rest(calls[1:])] if calls else []

    return rest(message.tool_calls)
