"""What can be read off a reply, or off the failure to get one."""

from collections.abc import Iterable
from typing import Any, cast

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessage

# The 4xx that are about the moment and not about the request.
TRY_AGAIN = (408, 409, 429)
# Told as a 429, but no moment will be a better one.
SPENT = "insufficient_quota"


def completion(response: Any) -> ChatCompletion:
    """The response itself; raises openai.OpenAIError if it is none the loop can read.

    With a status of 200 the SDK hands on whatever came, a page of HTML as a str.
    `choices` that are null or empty pass: they are an answer, if a useless one.
    """
    choices = getattr(response, "choices", "none")
    if choices is None or (isinstance(choices, list) and all(map(_readable, choices))):
        return cast(ChatCompletion, response)
    raise openai.OpenAIError(f"the reply is no completion: {words(response)}")


def _readable(choice: Any) -> bool:
    message = getattr(choice, "message", None)
    if not isinstance(message, ChatCompletionMessage):
        return hasattr(choice, "message") and message is None
    return all(getattr(call, "function", None) for call in message.tool_calls or [])


def stop_reason(response: ChatCompletion) -> str | None:
    """Why the run ends with this reply whatever else it holds, or None.

    "refusal", "content_filter", "length" (it was cut off, so its calls may be halves),
    or "empty_answer" where there is neither text nor a call.
    """
    choice = response.choices[0]
    if choice.message.refusal:
        return "refusal"
    if choice.finish_reason in ("content_filter", "length"):
        return choice.finish_reason
    if not choice.message.content and not choice.message.tool_calls:
        return "empty_answer"
    return None


def is_wrong_request(error: openai.OpenAIError) -> bool:
    """Whether the same request, sent again, could only fail again."""
    status, code = getattr(error, "status_code", 500), getattr(error, "code", None)
    return 400 <= status < 500 and (status not in TRY_AGAIN or code == SPENT)


def words(response: Any) -> str:
    """What a reply without a message says instead: its `error`, or how it begins."""
    return str(getattr(response, "error", None) or response)[:300]


def estimate_tokens(messages: Iterable[Any]) -> int:
    """Tokens by the usual rule of thumb, four characters each; at least one."""
    return sum(len(str(message)) for message in messages) // 4 + 1
