from labkit import MODEL, Call

order_id = {"type": ["string"], "pattern": "^NW-[0-9]{4}$"}
parameters = dict(type="object", properties={"order_id": order_id})
parameters["required"] = ("order_id",)
LOOKUP_ORDER = {"type": "function", "function": {"name": "lookup_order"}}
LOOKUP_ORDER["function"] |= {"description": "Get order details", "strict": False}
LOOKUP_ORDER["function"]["parameters"] = parameters


def ask(client, question):
    raw = client.chat.completions.with_raw_response.create(
        model=MODEL,
        messages=[{"role": "user", "content": question}],
        tools=(LOOKUP_ORDER,),
    )
    (choice,) = raw.parse().choices
    return choice.message


def parse_tool_calls(message):
    found = getattr(message, "tool_calls", None) or ()
    return tuple(
        Call(call.id, call.function.name, call.function.arguments) for call in found
    )
