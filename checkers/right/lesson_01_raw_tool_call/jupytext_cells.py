# %%
from labkit import MODEL, Call, Lesson

lab = Lesson("lesson_01_raw_tool_call")

# %%
LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": "One order by its id.\n\nPrice in the order's own currency.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
}

# %%
lab.check(LOOKUP_ORDER)


# %%
def ask(client, question, *, model=MODEL, tools=None):
    """The model's message in reply to one question, with LOOKUP_ORDER on offer."""
    history = [{"role": "user", "content": question, "name": "customer"}]
    tools = [LOOKUP_ORDER] if tools is None else tools
    create = client.chat.completions.create
    return create(model=model, messages=history, tools=tools).choices[-1].message


# %%
def parse_tool_calls(message):
    """The calls in an assistant message, in the model's order; none gives []."""
    try:
        asked = iter(message.tool_calls)
    except TypeError:
        return []
    calls = []
    while (call := next(asked, None)) is not None:
        calls.append(Call(call.id, call.function.name, call.function.arguments, 0.0))
    return calls


# %%
lab.check(LOOKUP_ORDER, ask, parse_tool_calls)
