"""What every loop owes the API, judged on evidence; shared by the checkers.

Each function gives back the first Failure it finds in one run, or None.
"""

import json

from labkit.checking.check import Failure
from labkit.checking.evidence import Evidence, Message, Request


def not_kept(seen: Evidence) -> Failure | None:
    """Whether some request lacks, doubles or changes what the model had said."""
    if failure := stopped_early(seen):
        return failure
    found = (_message_not_kept(seen, request) for request in seen.requests[1:])
    return next(filter(None, found), None)


def not_answered(seen: Evidence) -> Failure | None:
    """Whether some call did not get its one result, in order and under its own id.

    For runs whose messages are known to be kept (`not_kept`).
    """
    for request in seen.requests[1:]:
        if failure := _call_not_answered(seen, request) or _refusal(request):
            return failure
    return None


def _message_not_kept(seen: Evidence, request: Request) -> Failure | None:
    """Whether the request lacks, doubles or changes a message of the model's."""
    sent = [m for m in request.messages if m.role == "assistant"]
    said = _said_before(seen, request)
    for n, reply in enumerate(said):
        if n >= len(sent) or not sent[n].same_as(reply):
            return Failure(
                f"request {request.number} holds {_about(sent[n : n + 1])} where the "
                f"model's message {n + 1} belongs",
                _about([reply]),
                "append the message the model sent, once and whole, calls included",
            )
        place = request.messages.index(sent[n])
        early = [m for m in request.messages[:place] if m.call_id in _ids(reply)]
        if early:
            return Failure(
                f"request {request.number} has the result of {early[0].call_id!r} "
                "before the message that asked for it",
                "the message first, then its results",
                "append the model's message before you run its calls",
            )
    if len(sent) > len(said):
        return Failure(
            f"request {request.number} holds {len(sent)} assistant messages",
            f"{len(said)}, as many as the model sent",
            "append the model's message once, before the loop over its calls",
        )
    return None


def _call_not_answered(seen: Evidence, request: Request) -> Failure | None:
    """Whether a call of the last reply lacks its result, or its result is another's."""
    calls = _said_before(seen, request)[-1].calls
    roles = [message.role for message in request.messages]
    begin = len(roles) - roles[::-1].index("assistant")
    results = request.messages[begin:]
    for i, call in enumerate(calls):
        where = f"request {request.number}, message {begin + i}"
        result = results[i] if i < len(results) else None
        if result is None or result.role != "tool":
            what = f"a {result.role} message" if result else "nothing"
            return Failure(
                f"{where}: {what} where the result of {call.name} belongs",
                f'a "tool" message with tool_call_id {call.id!r}',
                "append one tool message for each call, in the order of the calls",
            )
        if result.call_id != call.id:
            said = repr(result.call_id) if result.call_id else "missing"
            return Failure(
                f"{where}: tool_call_id is {said}; the model asked with {call.id!r}",
                "one result per call, in order, under the id of its call",
                "copy call.id into the message you append",
            )
        if not _carries(seen, call.name, call.arguments, result.text):
            return Failure(
                f"{where}: {result.text[:60]!r} is not what {call.name} returned",
                f"the result of the call {call.id!r}",
                "put the outcome of each call into the message with its id",
            )
    if len(results) > len(calls) and results[len(calls)].role == "tool":
        return Failure(
            f"request {request.number} holds {len(results)} results",
            f"{len(calls)}, one for each call",
            "append one tool message for each call",
        )
    return None


def _carries(seen: Evidence, name: str, arguments: str, text: str) -> bool:
    """Whether a text holds every value that this call's tool returned."""
    runs = [run for run in seen.tool_runs if run.name == name]
    return any(
        run.args == json.loads(arguments)
        and all(value in _spelled(text) for value in _values(run.result))
        for run in runs
    )


def _said_before(seen: Evidence, request: Request) -> list[Message]:
    """What the model had said before this request."""
    earlier = seen.requests[: request.number - 1]
    return [before.reply for before in earlier if before.reply]


def _values(result: object) -> list[str]:
    """The numbers and the words in a tool's result, as they would be written."""
    if isinstance(result, dict):
        return [text for value in result.values() for text in _values(value)]
    if isinstance(result, list):
        return [text for value in result for text in _values(value)]
    return [] if isinstance(result, bool | None) else [_spelled(str(result))]


def _spelled(text: str) -> str:
    """The text without what escaping and spacing change."""
    return "".join(c for c in text if c.isalnum())


def stopped_early(seen: Evidence) -> Failure | None:
    """Whether the last reply that was fetched still asked for something."""
    if not seen.requests:
        return no_request(seen)
    last = seen.replies[-1] if seen.replies else None
    if last and last.calls and not seen.refused:
        return Failure(
            f"it stopped after request {len(seen.requests)}, though the model had "
            f"asked for {last.calls[0].name}",
            "a next request with that call's result",
            "only a message without calls ends the run",
        )
    return None


def refused(seen: Evidence) -> Failure | None:
    return _refusal(seen.refused) if seen.refused else None


def _refusal(request: Request) -> Failure | None:
    """The API's own words for a request that it refused."""
    if request.refusal is None:
        return None
    where = f"request {request.number}"
    if request.refusal["rule"] == "recording_ended":
        return Failure(
            f"{where} came after the answer",
            f"{request.number - 1} requests",
            "a message without calls is the answer: stop there",
        )
    if (message := request.refusal["message"]) is not None:
        where += f", message {message}"
    return Failure(
        f"{where} was refused: {request.refusal['text']}",
        "a request that the API takes",
        "look at that message: its role, its text and its id",
    )


def wrong_answer(seen: Evidence) -> Failure | None:
    """Whether the answer is another text than the model's last message."""
    said = seen.replies[-1].text.strip() if seen.replies else ""
    result = seen.result or {}
    answer = result.get("answer")
    if not isinstance(answer, str) or answer.strip() != said:
        return Failure(
            f"result.answer is {answer!r:.80}",
            f"the model's last text, {said!r:.60}",
            "put the text of the message without calls into result.answer",
        )
    if result.get("stopped_by") != "answered":
        return Failure(
            f"stopped_by is {result.get('stopped_by')!r} after an answer",
            "'answered'",
            'return "answered" from step when there is an answer',
        )
    return None


def not_finished(seen: Evidence) -> Failure | None:
    """Whether a run stopped early, asked once too often, or answered otherwise."""
    return stopped_early(seen) or refused(seen) or wrong_answer(seen)


def no_request(seen: Evidence) -> Failure:
    said = (seen.result or {}).get("stopped_by")
    return Failure(
        f"no request reached the model (stopped_by is {said!r})",
        "a request",
        "ask with self.call_model(result.messages)",
    )


def _about(messages: list[Message]) -> str:
    """A message in few words: its calls, or how its text begins."""
    if not messages:
        return "nothing"
    if calls := messages[0].calls:
        return "a message with " + ", ".join(f"{c.name} as {c.id!r}" for c in calls)
    return f"a message without calls, {messages[0].text[:40]!r}"


def _ids(message: Message) -> set[str]:
    return {call.id for call in message.calls}
