"""Conversations in the shape of requests, well formed unless a test says otherwise."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.agent.turns import call

Message = dict[str, Any]

USER: Message = {"role": "user", "content": "Well?"}
JSON_OBJECTS = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5))
NAMES = st.text("abcXYZ019_-", min_size=1, max_size=64)
NOTHING: st.SearchStrategy[Any] = st.sampled_from([None, "", "absent"])


def asking(*calls: Any, **fields: Any) -> Message:
    """An assistant message with these calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **fields}


def result(id: Any = "call_1", content: Any = "{}", **fields: Any) -> Message:
    """The tool message that answers a call."""
    return {"role": "tool", "tool_call_id": id, "content": content, **fields}


def request(*messages: Any, **fields: Any) -> dict[str, Any]:
    """A request with these messages after a question."""
    return {"model": "replayed", "messages": [USER, *messages], **fields}


@st.composite
def rounds(draw: st.DrawFn) -> list[Message]:
    """One message of the model's, and whatever must follow before the next."""
    content = draw(NOTHING | st.text())
    ids = draw(st.lists(st.text(min_size=1, max_size=6), unique=True, max_size=4))
    asked = [call(draw(NAMES), json.dumps(draw(JSON_OBJECTS)), id) for id in ids]
    message = asking(*asked, content=content)
    if content == "absent":
        del message["content"]
    if not ids:
        message |= {"content": content or "Hm.", "tool_calls": None}
    results = [result(id, draw(st.text())) for id in draw(st.permutations(ids))]
    between = draw(st.lists(st.sampled_from([USER, USER | {"role": "system"}])))
    return [message, *results, *between]


CONVERSATIONS = st.lists(rounds(), min_size=1, max_size=4).map(
    lambda found: request(*[message for each in found for message in each])
)
