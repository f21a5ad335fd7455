from dataclasses import dataclass

import labkit

LOOKUP_ORDER = dict(
    type="function",
    function=dict(
        name="lookup_order",
        description="Look up an order by id. Returns item, weight, price.",
        parameters=dict(
            type="object",
            properties=dict(order_id=dict(type="string", minLength=7, maxLength=7)),
            required=["order_id"],
        ),
    ),
)


@dataclass
class MyCall(labkit.Call):
    """A call that says what it is."""

    note: str = ""

    def __str__(self):
        return f"{self.name}({self.arguments})"


def ask(client, question):
    completion = client.chat.completions.create(
        model=labkit.MODEL,
        messages=[{"role": "user", "content": question}],
        tools=[LOOKUP_ORDER],
        max_completion_tokens=300,
    )
    message = completion.choices[0].message
    print(message)
    return message


def parse_tool_calls(message):
    def made(call):
        function = call.function
        return MyCall(call.id, function.name, arguments=function.arguments)

    return list(map(made, message.tool_calls or []))
