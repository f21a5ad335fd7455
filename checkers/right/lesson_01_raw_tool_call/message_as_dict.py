import json

from labkit import MODEL, Call

LOOKUP_ORDER = json.loads("""
{"type": "function",
 "function": {"name": "lookup_order",
              "description": "按订单号查询商品、价格和状态",
              "parameters": {"type": "object",
                             "properties": {"order_id": {"type": "string"}},
                             "required": ["order_id"]}}}
""")


def ask(client, question):
    request = {"model": MODEL, "tools": [LOOKUP_ORDER], "tool_choice": "auto"}
    request["messages"] = [{"role": "user", "content": question}]
    completion = client.chat.completions.create(**request)
    return completion.choices[0].message.model_dump(exclude_none=True)


def parse_tool_calls(message):
    fields = message if isinstance(message, dict) else message.to_dict()
    calls = []
    for call in fields.get("tool_calls") or []:
        match call:
            case {"id": id, "function": {"name": name, "arguments": arguments}}:
                calls += [Call(id, name, arguments)]
    return calls
