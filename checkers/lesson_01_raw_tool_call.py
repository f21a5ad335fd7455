"""Lesson 1, a tool call in the raw: what is offered, what is asked, what comes back."""

import re
from typing import Any

from labkit.checking import (
    Evidence,
    Failure,
    Message,
    call,
    check,
    ending,
    first,
    fixture,
    protocol,
    value,
)
from labkit.checking.evidence import read_message
from labkit.quantity import quantity

PRICE = "What did order NW-1041 cost?"
TWO = 'Which one is für Mama, "NW-1041" or "NW-1042"?\nAnd is it paid?'
THANKS = "Thank you, that was all!"

schema = value("LOOKUP_ORDER")
price = call("ask", fixture("client"), PRICE, recording="price_asked")
two = call("ask", fixture("client"), TWO, recording="two_orders_at_once")
thanks = call("ask", fixture("client"), THANKS, recording="thanks_only")

# Calls as id, name, arguments. Nobody declared Order_Status: models make names up.
ID = '{"order_id": "NW-2210"}'
ONE = [("call_Yb3kW8qd", "lookup_order", ID)]
BESIDE_TEXT = [
    ("call_Zz9tA1sf", "shipping_rate", '{"country": "Norway"}'),
    ("call_Aa2mC7rh", "lookup_order", ID),
]
TWINS = [
    ("call_K4vn6TyB", "lookup_order", ID),
    ("call_H8sd2PxE", "Order_Status", "{}"),
    ("call_D1wq5LzM", "lookup_order", ID),
]
READABLE = [
    ("call_Sp6cE3gn", "lookup_order", '{ "order_id" :"NW-2210"}\n'),
    ("call_Es7uJ4fo", "lookup_order", '{"order_id": "the caf\\u00e9\'s"}'),
    ("call_Nu8rI5dp", "refund", '{"order_id": "NW-2210", "amount": 1.50}'),
]
UNREADABLE = [
    ("call_Gl1uE7wv", "lookup_order", ID + '{"country": "Norway"}'),
    ("call_Cu2tO8xr", "lookup_order", '{"order_id": "NW-22'),
    ("call_Qu3oT9ys", "lookup_order", "{'order_id': 'NW-2210'}"),
    ("call_Em5pT2av", "list_orders", ""),
]


def _parse(content: str | None, asked: list[tuple[str, str, str]]) -> Any:
    calls = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
        for id, name, text in asked
    ]
    said = {"content": content, "tool_calls": calls}
    return call("parse_tool_calls", fixture("message", said))


one, twins = _parse(None, ONE), _parse(None, TWINS)
beside_text = _parse("I look both of them up.", BESIDE_TEXT)
readable, unreadable = _parse(None, READABLE), _parse(None, UNREADABLE)
without = [
    call("parse_tool_calls", fixture("message", {"content": "You are welcome."} | none))
    for none in ({"tool_calls": None}, {}, {"tool_calls": []})
]

HINTS = {
    "LOOKUP_ORDER": [
        "If this schema were all you knew of the tool, would you know when to use it, "
        "what it gives back, and what you have to fill in?",
        "The description is read by the model: what comes back, and when to ask for "
        'it. "required" is a list: the names of the parameters that no call can do '
        "without.",
        '"description": a sentence or two, with the fields of an order in it. '
        '"required": […], holding the one name that stands under "properties".',
    ],
    "ask": [
        "Two requests were made by hand above. Which of them had the tool on offer, "
        "and by which argument?",
        'A question is a message with the role "user". Beside messages= goes tools=, '
        "a list, even where there is one schema to offer.",
        "completion = client.chat.completions.create(model=…, messages=[…], tools=[…]) "
        "and then down the attribute path, as far as the message. Its content alone "
        "may be null.",
    ],
    "parse_tool_calls": [
        "Where in a message do the calls stand, and what stands there when the model "
        "asks for nothing?",
        "One Call for each entry of message.tool_calls. The id is the entry's own; "
        "name and arguments lie one level deeper, in its function.",
        "[Call(…, …, …) for call in message.tool_calls or …], three fields, each as it "
        "came. The arguments stay text: whoever runs the call reads them.",
    ],
}

LEARNED = (
    "You offered a model a tool and read what it asked for: a call is an id, a name "
    "and a text of arguments, and nothing has run yet."
)

SHAPE: dict[str, tuple[list[Any], str]] = {
    "type": (["function"], 'the first level holds "type" and "function"'),
    "function.name": (
        ["lookup_order"],
        'name goes inside "function", spelled as our function is',
    ),
    "function.parameters.type": (
        ["object"],
        'parameters has a "type", and in it "properties" and "required"',
    ),
    "function.parameters.properties.order_id.type": (
        ["string", ["string"]],
        "an id such as NW-1041 is text",
    ),
    "function.parameters.required": (
        [["order_id"]],
        'a list of names, beside "properties"; what comes back is not in it',
    ),
}


@check(schema)
def describes_one_function(seen: Evidence) -> Failure | None:
    """the schema describes lookup_order, and no call can do without a text order_id"""
    for path, (accepted, mend) in SHAPE.items():
        found = seen.returned
        for key in path.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        if found not in accepted:
            what = "missing" if found is None else ending.said(found)
            return Failure(f"{path} is {what}", repr(accepted[0]), mend)
    return None


# Words by which a description tells no more than the name does.
EMPTY = {"lookup", "look", "looks", "up", "order", "orders", "tool", "function"}
EMPTY |= {"a", "an", "the", "this", "that", "which", "it", "is", "of", "to"}


@check(schema, after=describes_one_function)
def says_more_than_its_name(seen: Evidence) -> Failure | None:
    """its description says more than its name"""
    text = seen.returned["function"].get("description")
    # Chinese and Japanese put no spaces: there each sign counts as a word.
    words = re.findall(r"[\u3040-\u9fff]|[^\W_]+", str(text).lower())
    if isinstance(text, str) and len(set(words) - EMPTY) >= 2:
        return None
    return Failure(
        f"function.description is {'missing' if text is None else ending.said(text)}",
        "a text that tells a model what it gets, or when to ask for it",
        "a comma between two lines of text makes a list of them; take it out"
        if isinstance(text, list)
        else "say what comes back",
    )


@check(price, two, thanks, points=2)
def asks_once_with_the_tool(*evidence: Evidence) -> Failure | None:
    """the question reaches the model word for word, once, with the tool on offer"""
    asked = zip(evidence, (PRICE, TWO, THANKS))
    return next(filter(None, (_badly_asked(*pair) for pair in asked)), None)


@check(price, two, thanks, after=asks_once_with_the_tool)
def gives_back_the_message(*evidence: Evidence) -> Failure | None:
    """ask gives back the message the model sent"""
    return first(_another_message, evidence)


@check(one, beside_text, twins, points=2)
def makes_a_call_of_each(*evidence: Evidence) -> Failure | None:
    """every call becomes a Call, in order, with its own id and name"""
    for seen, asked in zip(evidence, (ONE, BESIDE_TEXT, TWINS)):
        got, wanted = _fields(seen, "name", "id"), [(n, id) for id, n, _ in asked]
        if got != wanted:
            return Failure(
                f"parse_tool_calls gave back {_listed(got) or _what(seen.returned)}",
                f"a list of labkit's Call: {_listed(wanted)}",
                "make one Call of each, id and name as they came, text beside or not",
            )
    return None


@check(readable, unreadable, points=2, after=makes_a_call_of_each, raises=True)
def leaves_the_arguments_alone(*evidence: Evidence) -> Failure | None:
    """the arguments stay the text they were, readable or not"""
    mend = "copy call.function.arguments as it is; reading it is a later lesson's work"
    for seen, asked in zip(evidence, (READABLE, UNREADABLE)):
        got = [arguments for (arguments,) in _fields(seen, "arguments")]
        if len(got) != len(asked):
            count = f"{quantity(len(asked), 'call')} went in, {len(got)} came out"
            what = _raised(seen) or f"{count} ({_what(seen.returned)})"
            return Failure(what, "a Call for each, readable or not", mend)
        for mine, (_, _, text) in zip(got, asked):
            if mine != text:
                what = f"the arguments {text!r} became {ending.said(mine)}"
                return Failure(what, "the very text the model wrote", mend)
    return None


@check(*without, after=makes_a_call_of_each, raises=True)
def takes_a_message_without_calls(*evidence: Evidence) -> Failure | None:
    """a message without calls gives an empty list"""
    for seen in evidence:
        if seen.raised or seen.returned != []:
            return Failure(
                _raised(seen) or f"a message without calls gave {_what(seen.returned)}",
                "[]",
                "tool_calls may be null, absent or empty; go over nothing then",
            )
    return None


def _badly_asked(seen: Evidence, question: str) -> Failure | None:
    if not seen.requests:
        return Failure(
            f"nothing was asked; ask gave back {_what(seen.returned)}",
            "one request to the model",
            "call client.chat.completions.create, in a plain def",
        )
    request = seen.requests[0]
    if request.refusal:
        return Failure(
            f"request 1 was refused: {request.refusal['text']}",
            "a request that the API takes",
            "messages= is a list of dicts with role and content, tools= of schemas",
        )
    said = [message.text for message in request.messages if message.role == "user"]
    if not any(question in text for text in said):
        return Failure(
            f"the user's messages in request 1: {ending.said('; '.join(said))}",
            f"the question as it was given: {ending.said(question)}",
            "put the parameter, question, into a message with the role 'user'",
        )
    if len(seen.requests) > 1:
        return Failure(
            f"{quantity(len(seen.requests), 'request')} for one question",
            "one",
            "ask once and give back what came; going on from there is lesson 3",
        )
    return _not_on_offer(seen.events)


def _not_on_offer(events: list[dict[str, Any]]) -> Failure | None:
    sent = next(event for event in events if event["event"] == "request")
    if not any(sent["tools"]):
        old = ", only functions=, which tools= replaced" if "functions" in sent else ""
        return Failure(
            f"request 1 offers no tool{old}",
            "tools= with the schema in it",
            "pass tools=, a list, with LOOKUP_ORDER in it",
        )
    choice = sent.get("tool_choice")
    named = isinstance(choice, dict) and choice.get("type") == "function"
    if named or choice in ("none", "required"):
        return Failure(
            f"request 1 has tool_choice={choice!r:.60}",
            "'auto', or no tool_choice at all",
            "leave the model its choice: it may need the tool, or answer at once",
        )
    return None


def _another_message(seen: Evidence) -> Failure | None:
    reply, back = seen.replies[0], seen.returned
    found = read_message(back)
    if Message(reply.role, found.text, found.calls).same_as(reply):
        return None
    message = isinstance(back, dict) and "content" in back
    return Failure(
        f"ask gave back {protocol.about(found) if message else _what(back)}",
        f"the message: {protocol.about(reply)}",
        "go down the attribute path as far as the message, and return all of it",
    )


def _fields(seen: Evidence, *names: str) -> list[tuple[Any, ...]]:
    """These fields of each Call that came back; nothing if something else did."""
    back = seen.returned if isinstance(seen.returned, list) else []
    if not all(isinstance(c, dict) and c.get("type") == "Call" for c in back):
        return []
    return [tuple(call["fields"][name] for name in names) for call in back]


def _listed(pairs: list[tuple[Any, ...]]) -> str:
    return ", ".join(f"{ending.said(n)} as {ending.said(id)}" for n, id in pairs)


def _what(back: Any) -> str:
    """What came back, in few words; of a container, what it holds."""
    if isinstance(back, list) and back:
        return f"a list, first in it {_what(back[0])}"
    if isinstance(back, dict) and not back.keys() & {"opaque", "fields"}:
        return f"an object with {', '.join(list(back)[:4]) or 'nothing in it'}"
    return "[]" if back == [] else ending.said(back)


def _raised(seen: Evidence) -> str:
    """The learner's exception and where it was raised, or ""."""
    if seen.raised is None:
        return ""
    where = f"{seen.raised['line']}: " if seen.raised["line"] else ""
    return f"{where}{seen.raised['type']}: {seen.raised['message']}"
