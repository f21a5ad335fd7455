"""What the model is told about the shop: a system prompt and six tool schemas."""

from typing import Any

SYSTEM = (
    "You are the support assistant of the shop Northwind. Look facts up with the tools "
    "before you answer: never state an order, a rate or a price from memory. Do every "
    "sum with the calculator. Say in your answer what you looked up. If a tool reports "
    "an error, mend the call or say what is missing. Never promise a refund that the "
    "refund tool did not make."
)

LOOKUP_ORDER = {
    "type": "function",
    "function": {
        "name": "lookup_order",
        "description": (
            "Get one order by its id: item, weight in kg, destination country, price, "
            "currency and status. Use it whenever a customer names an order."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "order_id": {
                    "type": "string",
                    "description": "The id as printed on the invoice, such as NW-1041.",
                }
            },
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
}

LIST_ORDERS = {
    "type": "function",
    "function": {
        "name": "list_orders",
        "description": (
            "List orders with all their fields. Without a filter this is the whole "
            "table, which is long: pass a country or a status where you can."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "country": {
                    "type": "string",
                    "description": "Only orders to this country, in English: Norway.",
                },
                "status": {
                    "type": "string",
                    "enum": ["processing", "shipped", "delivered", "returned"],
                    "description": "Only orders with this status.",
                },
            },
            "required": [],
            "additionalProperties": False,
        },
    },
}

SHIPPING_RATE = {
    "type": "function",
    "function": {
        "name": "shipping_rate",
        "description": (
            "Get the price in USD of sending one kg to a country. The postage of an "
            "order is this rate times the order's weight."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "country": {
                    "type": "string",
                    "description": "The country's full English name, such as Norway.",
                }
            },
            "required": ["country"],
            "additionalProperties": False,
        },
    },
}

CONVERT_CURRENCY = {
    "type": "function",
    "function": {
        "name": "convert_currency",
        "description": (
            "Convert an amount of money at today's rate. Returns the converted amount "
            "and the rate. Knows USD, EUR, GBP, CAD, CHF and SEK."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "amount": {
                    "type": "number",
                    "description": "How much to convert, above zero.",
                },
                "from_currency": {
                    "type": "string",
                    "description": "ISO code of the amount's currency, such as USD.",
                },
                "to_currency": {
                    "type": "string",
                    "description": "ISO code of the wanted currency, such as EUR.",
                },
            },
            "required": ["amount", "from_currency", "to_currency"],
            "additionalProperties": False,
        },
    },
}

CALCULATOR = {
    "type": "function",
    "function": {
        "name": "calculator",
        "description": (
            "Work out an arithmetic expression made of numbers, + - * / // % ** and "
            "parentheses. It knows no variables, functions, units or program code."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "description": "The sum, such as 3.5 * (12 + 7.25).",
                }
            },
            "required": ["expression"],
            "additionalProperties": False,
        },
    },
}

REFUND = {
    "type": "function",
    "function": {
        "name": "refund",
        "description": (
            "Pay money back to the customer of an order. This moves real money at once "
            "and cannot be undone. All refunds of an order together stay within its "
            "price."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "order_id": {
                    "type": "string",
                    "description": "The id of the order that is paid back.",
                },
                "amount": {
                    "type": "number",
                    "description": "How much, above zero, in the order's currency.",
                },
            },
            "required": ["order_id", "amount"],
            "additionalProperties": False,
        },
    },
}

TOOLS: list[dict[str, Any]] = [
    LOOKUP_ORDER,
    LIST_ORDERS,
    SHIPPING_RATE,
    CONVERT_CURRENCY,
    CALCULATOR,
    REFUND,
]
