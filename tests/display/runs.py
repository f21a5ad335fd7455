"""Evidence written by hand: requests and replies, as a run would leave them."""

from typing import Any

from labkit.checking.evidence import Evidence

OPENING = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where is it?"},
]
ANSWER = {"role": "assistant", "content": "On its way."}


def asking(*ids: str, text: str | None = None) -> dict[str, Any]:
    """A message of the model's that asks for one look-up for each id."""
    calls = [
        {
            "id": id,
            "type": "function",
            "function": {"name": "lookup_order", "arguments": '{"n": 1}'},
        }
        for id in ids
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result(id: str, content: str = "{}") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def request(number: int, *added: Any) -> dict[str, Any]:
    fields = {"number": number, "added": list(added), "tools": ["lookup_order"]}
    return {"event": "request", **fields}


def reply(
    number: int, message: Any, usage: tuple[int, int] | None = (80, 7)
) -> dict[str, Any]:
    body: dict[str, Any] = {"choices": [{"message": message}]}
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return {"event": "reply", "number": number, "turn": {"body": body}}


def refusal(number: int, rule: str, message: int, text: str) -> dict[str, Any]:
    fields = {"rule": rule, "message": message, "text": text}
    return {"event": "refusal", "number": number, **fields}


def ended(stopped_by: str = "answered", **fields: Any) -> dict[str, Any]:
    given = {"answer": "On its way.", "steps": 2, "tokens": 9, "error": "", **fields}
    return {"type": "Result", "fields": {"stopped_by": stopped_by, **given}}


def one_lookup(content: str = "{}", answer: str = "On its way.") -> Evidence:
    """A run of two requests: a call, its result, and an answer."""
    events = [
        request(1, *OPENING),
        reply(1, asking("call_1")),
        request(2, asking("call_1"), result("call_1", content)),
        reply(2, {"role": "assistant", "content": answer}),
    ]
    return Evidence(events, ended(answer=answer))


def long_run(requests: int, content: str = '{"value": 48.16}') -> Evidence:
    """A run of so many requests, each but the last with a call and its result."""
    events = [request(1, *OPENING)]
    for n in range(1, requests):
        events.append(reply(n, asking(f"call_{n}")))
        events.append(request(n + 1, asking(f"call_{n}"), result(f"call_{n}", content)))
    return Evidence([*events, reply(requests, ANSWER)], ended())
