"""What each request owes the API, judged on evidence; shared by the checkers.

Each function gives back a Failure it finds in one run, or None.
"""

import json
import re
from collections import Counter

from labkit.checking.check import Failure
from labkit.checking.ending import refusal, said
from labkit.checking.evidence import AskedCall, Evidence, Message, Request
from labkit.quantity import quantity

NO_WORD = re.compile(r"[\W_]+")


def badly_opened(seen: Evidence) -> Failure | None:
    """Whether the first request holds anything but system prompt and question."""
    if not seen.requests:
        return None
    roles = [message.role for message in seen.requests[0].messages]
    if not set(roles) & {"system", "developer"} or "user" not in roles:
        return Failure(
            f"request 1 holds the roles {', '.join(roles)}",
            "system, user",
            "first the system prompt, then the question",
        )
    if set(roles) - {"system", "developer", "user"}:
        return Failure(
            f"request 1 holds the roles {', '.join(roles)}",
            "system, user",
            "begin each run with a transcript of its own",
        )
    return None


def not_sent_again(seen: Evidence) -> Failure | None:
    """Whether a request lacks the system prompt, the question or a tool."""
    for request in seen.requests:
        where = f"request {request.number}"
        systems = [
            m.text for m in request.messages if m.role in ("system", "developer")
        ]
        questions = [m.text.strip() for m in request.messages if m.role == "user"]
        if not any(seen.system.strip() in text for text in systems):
            return Failure(
                f"{where} lacks the system prompt",
                "self.system in every request",
                "send the whole transcript each time, from its first message on",
            )
        if questions.count(seen.question.strip()) != 1:
            return Failure(
                f"{where} holds the question {questions.count(seen.question)} times; "
                f"its user messages are {said('; '.join(questions))}",
                "the question, word for word, once",
                "send the whole transcript each time, from its first message on",
            )
        if missing := [name for name in seen.tools if name not in request.tools]:
            return Failure(
                f"{where} does not declare {missing[0]}",
                f"tools={len(seen.tools)} schemas in every request",
                "pass tools=self.tools each time; self.complete does",
            )
    return None


def not_kept(seen: Evidence) -> Failure | None:
    """Whether some request lacks, doubles or changes what the model had said."""
    found = (_message_not_kept(seen, request) for request in seen.requests[1:])
    return next(filter(None, found), None)


def not_answered(seen: Evidence) -> Failure | None:
    """Whether some call did not get its one result, in order and under its own id.

    For runs whose messages are known to be kept (`not_kept`).
    """
    for request in seen.requests[1:]:
        if failure := _call_not_answered(seen, request) or refusal(request):
            return failure
    return _ran_otherwise(seen)


def _message_not_kept(seen: Evidence, request: Request) -> Failure | None:
    sent = [m for m in request.messages if m.role == "assistant"]
    replies = _said_before(seen, request)
    where = f"request {request.number}"
    for n, reply in enumerate(replies):
        if n >= len(sent):
            return Failure(
                f"{where} holds {len(sent)} of the model's "
                f"{quantity(len(replies), 'message')}",
                f"all of them, also {about(reply)}",
                "append the model's message, and send the whole transcript each time",
            )
        if not sent[n].same_as(reply):
            return Failure(
                f"{where}, the model's message {n + 1}: {_difference(sent[n], reply)}",
                about(reply),
                "append the message the model sent, once and whole, calls included",
            )
        place = request.messages.index(sent[n])
        if early := [m for m in request.messages[:place] if m.call_id in _ids(reply)]:
            return Failure(
                f"{where} has the result of {early[0].call_id!r} before the message "
                "that asked for it",
                "the message first, then its results",
                "append the model's message before the results of its calls",
            )
    if len(sent) > len(replies):
        return Failure(
            f"{where} holds {len(sent)} assistant messages",
            f"{len(replies)}, as many as the model sent",
            "append the model's message once, and results as role 'tool'",
        )
    return None


def _call_not_answered(seen: Evidence, request: Request) -> Failure | None:
    calls = _said_before(seen, request)[-1].calls
    roles = [message.role for message in request.messages]
    begin = len(roles) - roles[::-1].index("assistant")
    results = request.messages[begin:]
    for i, call in enumerate(calls):
        where = f"request {request.number}, message {begin + i + 1}"
        result = results[i] if i < len(results) else None
        if result is None or result.role != "tool":
            what = f"a {result.role} message" if result else "nothing"
            return Failure(
                f"{where}: {what} where the result of {call.name} belongs",
                f"a 'tool' message with tool_call_id {call.id!r}",
                "append one tool message for each call, in the order of the calls",
            )
        if result.call_id != call.id:
            return _wrong_id(where, result.call_id, call, [c.id for c in calls])
        if request.refusal and request.refusal["message"] == begin + i:
            return refusal(request)
        if not _carries(seen, call, result.text):
            return Failure(
                f"{where}: {said(result.text)} is not what {call.name} returned",
                f"the result of the call {call.id!r}",
                "put the outcome of each call into the message with its id",
            )
    return None


def _wrong_id(where: str, id: str, call: AskedCall, ids: list[str]) -> Failure:
    if id in ids:
        mend = "append the results in the order of the calls, a new dict for each"
    elif id:
        mend = "answer the calls of this message, each under its own call.id"
    else:
        mend = "copy call.id into the message you append"
    what = repr(id) if id else "missing"
    return Failure(
        f"{where}: tool_call_id is {what}; the model asked with {call.id!r}",
        "one result per call, in order, under the id of its call",
        mend,
    )


def _ran_otherwise(seen: Evidence) -> Failure | None:
    """Whether tools ran that nobody asked for, or one call more than once."""
    asked = Counter(call.name for reply in seen.replies for call in reply.calls)
    ran = Counter(run.name for run in seen.tool_runs)
    for name, times in ran.items():
        if times > asked[name]:
            return Failure(
                f"{name} ran {quantity(times, 'time')}, asked for "
                f"{quantity(asked[name], 'time')}",
                "one run for each call",
                "run each call once and keep its outcome",
            )
    return None


def _carries(seen: Evidence, call: AskedCall, text: str) -> bool:
    """Whether a text holds every value that this call's tool returned."""
    runs = [run for run in seen.tool_runs if run.name == call.name]
    spelled = _spelled(text)
    return any(
        run.args == json.loads(call.arguments)
        and all(value in spelled for value in _values(run.result))
        for run in runs
    )


def _values(result: object) -> list[str]:
    """The numbers and the words in a tool's result, as they would be written."""
    if isinstance(result, dict):
        return [text for value in result.values() for text in _values(value)]
    if isinstance(result, list):
        return [text for value in result for text in _values(value)]
    return [] if isinstance(result, bool | None) else [_spelled(str(result))]


def _spelled(text: str) -> str:
    """The text without what escaping and spacing change."""
    return NO_WORD.sub("", text)


def _said_before(seen: Evidence, request: Request) -> list[Message]:
    """What the model had said before this request."""
    earlier = seen.requests[: request.number - 1]
    return [before.reply for before in earlier if before.reply]


def _difference(sent: Message, reply: Message) -> str:
    """The first thing in which a message differs from the model's own."""
    if sent.text.strip() != reply.text.strip():
        return f"its text is {said(sent.text)}, not {said(reply.text)}"
    if len(sent.calls) != len(reply.calls):
        return f"it has {quantity(len(sent.calls), 'call')}, not {len(reply.calls)}"
    for mine, theirs in zip(sent.calls, reply.calls):
        if mine.id != theirs.id or mine.name != theirs.name:
            return f"it calls {mine.name} as {mine.id!r}"
        if not mine.same_as(theirs):
            return f"the arguments of {mine.name} are {said(mine.arguments)}"
    return "it differs"


def about(message: Message) -> str:
    """A message in few words: its calls, or how its text begins."""
    if message.calls:
        return ", ".join(f"{c.name}({c.arguments}) as {c.id!r}" for c in message.calls)
    return f"a message without calls, {said(message.text)}"


def _ids(message: Message) -> set[str]:
    return {call.id for call in message.calls}
