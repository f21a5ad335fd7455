"""Lesson 5, errors: what the model gets to read, and what is asked for again."""

import json
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

from labkit.checking import Evidence, Failure, check, ending, first, fixture, hook, run
from labkit.checking.ending import said
from labkit.checking.evidence import Message, read_message
from labkit.checking.scenario import Hook, Run
from labkit.quantity import quantity
from labkit.replay.reactions import says_nothing


def execute(name: str, arguments: str, **how: Any) -> Hook:
    """The learner's execute_call on one call."""
    call = fixture("call", "call_Ex5cL2wb", name, arguments)
    return hook("execute_call", call, **how)


def outcome(name: str, *args: Any) -> Hook:
    """A good call whose tool runs, and then this comes of it."""
    instead = {"lookup_order": fixture(name, *args)}
    return execute("lookup_order", ORDER, instead=instead)


def ask(recording: str, times: int = 1) -> Hook:
    """The learner's call_model on one question."""
    question = [{"role": "user", "content": "Is anybody there?"}]
    how: dict[str, Any] = {"options": {"attempts": 3}, "expected": 3 * times}
    return hook("call_model", question, recording=recording, times=times, **how)


def agent(recording: str, attempts: int = 3, expected: int | None = None) -> Run:
    """The learner's whole agent on a provider that fails; both parts are needed."""
    how: dict[str, Any] = {"options": {"attempts": attempts}, "expected": expected}
    return run(recording, part="call_model", level="strict", **how)


ORDER = '{"order_id": "NW-1041"}'
REFUND = '{"order_id": "NW-1041", "amount": 10}'
SMALLER = '{"order_id": "NW-1041", "amount": 5}'
EUROS = '{"amount": %s, "from_currency": "EUR", "to_currency": "USD"}'

GOOD = [
    ("lookup_order", ORDER),
    ("convert_currency", EUROS % 2.5),
    ("lookup_order", '{"order_id": "NW-9999"}'),
    ("list_orders", "{}"),
]
good = [execute(name, arguments) for name, arguments in GOOD]
above_the_limit = execute("refund", REFUND, options={"refund_limit": 5})

UNREADABLE = {
    "a text of three objects": execute(
        "refund", REFUND + '{"country": "Norway"}{"expression": "2 * 3"}'
    ),
    "a text of two refunds": execute("refund", REFUND + SMALLER),
    "an object that breaks off": execute("lookup_order", '{"order_id": "NW-1041'),
    "a list": execute("lookup_order", f"[{ORDER}]"),
    "null": execute("lookup_order", "null"),
    "a text in quotes": execute("lookup_order", '"NW-1041"'),
    "a bare text": execute("lookup_order", "NW-1041"),
    "an object as Python spells it": execute("lookup_order", "{'order_id': 'NW-1041'}"),
    "an empty text": execute("lookup_order", ""),
}
# Words of one's own, or those of Python's json, in whatever language they stand.
READABLE = ["json", "argument", "object", "dict", "mapping", "expecting", "extra data"]
READABLE += ["unterminated", "delimiter", "column", "char ", "parameter", "parse"]

NOT_JSON = {
    f"the amount {word}": execute("convert_currency", EUROS % word)
    for word in ("NaN", "Infinity")
}

made_up = execute("find_order", ORDER)

FAILING = {
    "a wrong argument name": execute("lookup_order", '{"order_number": "NW-1041"}'),
    "a tool that raises": outcome("raising", "ValueError", "the table is locked"),
    "a tool with a bug": outcome("raising", "TypeError", "kilograms are no dollars"),
    "a tool that raises no text": outcome("raising", "TimeoutError", ""),
    "a result JSON cannot hold": outcome("returning", fixture("no_json")),
}
NAMED = [
    ["typeerror", "order_number", "order_id"],
    ["valueerror", "the table is locked"],
    ["typeerror", "kilograms are no dollars"],
    ["timeout", "lookup_order"],
    ["typeerror", "json", "serial", "result"],
]
# Not KeyboardInterrupt: where nothing can fork, that one would stop the check itself.
program_end = outcome("raising", "SystemExit", "")

FAILED = {
    "a 503": ask("busy_once"),
    "a connection that broke off": ask("dropped_once"),
    "a page of HTML": ask("html_page"),
}
EMPTY = {
    "an error with status 200": ask("gateway_says_no"),
    "choices that are null": ask("choices_null"),
    "an empty list of choices": ask("choices_empty"),
    "a message that is null": ask("message_null"),
}
busy_twice = ask("busy_twice", times=2)
answered_by_a_call = ask("paid_then_busy")

busy = agent("busy_for_good", expected=3)
busy_and_two_attempts = agent("busy_for_good", attempts=2, expected=2)
gateway = agent("gateway_for_good", expected=3)
two_faults = agent("two_faults", attempts=2)
wrong_request = agent("wrong_request")
wrong_key = agent("wrong_key")
paid_then_busy = agent("paid_then_busy")
paid_then_lost = agent("paid_then_lost", attempts=2)
glued = agent("glued_arguments")
broken_beside_good = agent("broken_beside_good")

HINTS = {
    "execute_call": [
        "Name three lines between the raw text and the tool's result that can raise. "
        "Who reads the message of that exception in the end?",
        "json.loads takes parse_constant, for NaN and Infinity. JSON need not be an "
        "object: look at what came out of it. And an exception's class says something "
        "even where its text is empty.",
        "One try round all of it: read the text, raise your own TypeError if it is no "
        "dict, return self.run_tool(…). Except Exception: return json.dumps of "
        '{"error": …} with type and text.',
    ],
    "call_model": [
        "A request can fail with an exception, or with a reply that has no message. "
        "Does your code go the same way after both?",
        "Count with self.attempts, anew in each call. Keep what the provider said in "
        "self.error, each time. Which of its exceptions would come back every time?",
        "for each attempt: try self.complete; a message in it? return the completion; "
        "else keep replies.words of it. Except OpenAIError: keep its text; "
        "replies.is_wrong_request ends it. After the loop: None.",
    ],
}

LEARNED = (
    "You made the agent live through errors: the model reads what it can mend, a "
    "failed request is made again, and no tool runs twice for it."
)


@check(*good, above_the_limit, raises=True)
def leaves_a_good_call_as_it_is(*evidence: Evidence) -> Failure | None:
    """a good call runs once, by self.run_tool, and its result comes back untouched"""
    *runs, refund = evidence
    if refund.ledger:
        return Failure(
            "a refund of 10 was paid where 5 are allowed",
            "the rule about money is asked before every tool",
            "run tools by self.run_tool(call.name, args); it asks the rule",
        )
    return _any(map(_changed, GOOD, runs))


@check(*UNREADABLE.values(), points=2, after=leaves_a_good_call_as_it_is, raises=True)
def says_what_was_wrong_with_the_arguments(*evidence: Evidence) -> Failure | None:
    """whatever the arguments are, the answer says what was wrong; no tool runs"""
    mend = "put into it that the arguments are no JSON object, with Python's own words"
    names = (f"a call whose arguments are {what}" for what in UNREADABLE)
    cases = list(zip(names, evidence))
    ran = (_ran(what, seen) for what, seen in cases)
    untold = (_untold(what, seen, READABLE, mend) for what, seen in cases)
    return _any(chain(ran, untold))


@check(*NOT_JSON.values(), after=says_what_was_wrong_with_the_arguments, raises=True)
def lets_no_nan_through(*evidence: Evidence) -> Failure | None:
    """NaN and Infinity are not JSON, so no tool gets them"""
    mend = "json.loads(call.arguments, parse_constant=finite) raises for them"
    return _any(
        _ran(f"a call with {what}", seen, mend)
        or _untold(f"a call with {what}", seen, [])
        for what, seen in zip(NOT_JSON, evidence)
    )


@check(made_up, after=leaves_a_good_call_as_it_is, raises=True)
def names_an_unknown_tool(seen: Evidence) -> Failure | None:
    """a tool that does not exist is named in the answer"""
    what = "a call of find_order, which does not exist,"
    mend = "repeat call.name in the error, so that the model sees what it made up"
    return _ran(what, seen) or _untold(what, seen, ["find_order"], mend)


@check(*FAILING.values(), points=2, after=leaves_a_good_call_as_it_is, raises=True)
def says_what_failed(*evidence: Evidence) -> Failure | None:
    """a tool that fails is answered with what failed, whatever it was"""
    return _any(
        _ran_again(what, seen) or _untold(what, seen, words)
        for what, seen, words in zip(FAILING, evidence, NAMED)
    )


@check(program_end, after=says_what_failed, raises=True)
def lets_the_stop_button_through(seen: Evidence) -> Failure | None:
    """only errors are caught; the stop button and sys.exit() get through"""
    if seen.raised and seen.raised["type"] == "SystemExit":
        return None
    return Failure(
        "a SystemExit was raised in a tool, and the run went on",
        "what is no error gets through, as the stop button's KeyboardInterrupt does",
        "catch Exception; a bare except and BaseException catch these two as well",
    )


@check(*FAILED.values(), busy_twice, answered_by_a_call, points=2, raises=True)
def asks_again_after_a_failed_request(*evidence: Evidence) -> Failure | None:
    """a request that failed is made again, and a good reply comes back whole"""
    *once, twice, call = evidence
    return (
        _any(map(_not_again, FAILED, once))
        or _not_again("two 503s in each of two calls", twice, requests=6)
        or _not_again("a reply of a call without text", call, requests=1)
    )


@check(*EMPTY.values(), points=2, after=asks_again_after_a_failed_request, raises=True)
def asks_again_for_a_reply_without_a_message(*evidence: Evidence) -> Failure | None:
    """a reply with no message in it counts as a failed request, in spite of its 200"""
    return _any(map(_not_again, EMPTY, evidence))


@check(
    busy,
    busy_and_two_attempts,
    gateway,
    points=2,
    after=asks_again_for_a_reply_without_a_message,
    raises=True,
)
def stops_after_its_attempts(*evidence: Evidence) -> Failure | None:
    """a provider that stays away ends the run after self.attempts requests"""
    return _any(
        _not_lost(seen, attempts, f"self.attempts is {attempts}")
        for seen, attempts in zip(evidence, (3, 2, 3))
    )


@check(wrong_request, wrong_key, after=asks_again_after_a_failed_request, raises=True)
def never_repeats_a_wrong_request(*evidence: Evidence) -> Failure | None:
    """a request that the provider calls wrong (400, 401) is not made again"""
    return _any(
        _not_lost(seen, 1, f"a {status} comes back every time")
        for seen, status in zip(evidence, (400, 401))
    )


CAN_BE_LOST = (stops_after_its_attempts, never_repeats_a_wrong_request)


@check(busy, gateway, two_faults, wrong_request, after=CAN_BE_LOST)
def keeps_the_last_words(*evidence: Evidence) -> Failure | None:
    """result.error holds what the provider said last"""
    for seen in evidence:
        words, error = _last_words(seen), (seen.result or {}).get("error")
        if words.casefold() not in str(error).casefold():
            return Failure(
                f"the provider's last words were {words!r}; result.error is "
                f"{said(error)}",
                "these words in result.error",
                "set self.error after each failed attempt: the text of the exception, "
                "or replies.words(completion)",
            )
    return None


@check(
    paid_then_busy,
    paid_then_lost,
    after=(leaves_a_good_call_as_it_is, stops_after_its_attempts),
)
def repeats_no_tool(*evidence: Evidence) -> Failure | None:
    """a failed request is repeated, and no tool with it: a refund is paid once"""
    for seen in evidence:
        if len(seen.ledger) != 1:
            return Failure(
                f"12.50 was paid {quantity(len(seen.ledger), 'time')} after a failed "
                "request",
                "one refund, and then the failed request again",
                "repeat the request inside call_model, never the run",
            )
    answered, lost = evidence
    return (
        first(_not_the_same, evidence)
        or ending.not_finished(answered)
        or _not_lost(lost, 3, "1 reply, 2 attempts")
    )


@check(
    glued,
    broken_beside_good,
    points=2,
    after=(
        says_what_was_wrong_with_the_arguments,
        asks_again_after_a_failed_request,
    ),
)
def lets_the_model_mend_its_call(*evidence: Evidence) -> Failure | None:
    """a run with a broken call in it goes on to its answer, on a strict server too"""
    return first(_malformed, evidence) or first(ending.not_finished, evidence)


def _any(failures: Iterable[Failure | None]) -> Failure | None:
    return next(filter(None, failures), None)


def _changed(call: tuple[str, str], seen: Evidence) -> Failure | None:
    """Whether a call that nothing is wrong with did not give its tool's result."""
    what = f"a good call, {' with '.join(call)},"
    if failure := _no_text(what, seen):
        return failure
    results = [run.result for run in seen.tool_runs]
    if len(results) != 1:
        return Failure(
            f"{what} ran {quantity(len(results), 'tool')}; the answer was "
            f"{said(seen.returned)}",
            "one tool",
            "return self.run_tool(call.name, args), once",
        )
    if _parsed(seen.returned) == results[0]:
        return None
    return Failure(
        f"the tool returned {json.dumps(results[0])[:90]}, execute_call "
        f"{said(seen.returned, 90)}",
        "the text that self.run_tool gave back",
        "return it as it is; it is JSON text already",
    )


def _no_text(what: str, seen: Evidence) -> Failure | None:
    if seen.raised:
        mend = (
            "whatever is raised in here, catch it (except Exception) and put its class "
            "and its text into the error"
        )
        return Failure(
            f"{what} raised {_told(seen)}",
            "a text that the model can read",
            mend if seen.raised["line"] else "keep the head: execute_call(self, call)",
        )
    if isinstance(seen.returned, str):
        return None
    return Failure(
        f"{what} was answered with {said(seen.returned)}",
        "a text",
        "return JSON text in each case; json.dumps makes it of a dict",
    )


def _ran(
    what: str, seen: Evidence, mend: str = "take a JSON object, whole, and nothing else"
) -> Failure | None:
    """Whether a tool ran on a call that cannot be understood."""
    if not seen.tool_runs:
        return None
    ran = seen.tool_runs[0]
    return Failure(
        f"{what} made {ran.name} run with {json.dumps(ran.args)}",
        "an error for the model; nobody guesses what it meant",
        mend,
    )


def _ran_again(what: str, seen: Evidence) -> Failure | None:
    if len(seen.tool_runs) < 2:
        return None
    return Failure(
        f"{what} was run {quantity(len(seen.tool_runs), 'time')}",
        "one run; what failed is told to the model, which decides what to do",
        "attempts are for requests; call self.run_tool once",
    )


def _untold(
    what: str,
    seen: Evidence,
    words: list[str],
    mend: str = "put the exception's class and its text into it",
) -> Failure | None:
    """Whether the answer is no error that holds one of these words."""
    if failure := _no_text(what, seen):
        return failure
    value = _parsed(seen.returned)
    if not isinstance(value, dict) or "error" not in value:
        return Failure(
            f"{what} was answered with {said(seen.returned)}",
            'JSON text such as {"error": "…"}',
            'return json.dumps({"error": …})',
        )
    # An exception's class may be the error, and its text stand under another key.
    text = " ".join(map(_as_text, value.values())).casefold()
    named = not words or any(word in text for word in words)
    if says_nothing(value["error"]) or not named:
        return Failure(
            f"{what} was answered with the error {said(_as_text(value['error']))}",
            "an error that says what was wrong",
            mend,
        )
    return None


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _not_again(what: str, seen: Evidence, requests: int = 2) -> Failure | None:
    """Whether another number of requests was made, or the good reply is not back."""
    made = len(seen.requests)
    whole = "the completion, whole"
    at_once = "give the completion back as soon as there is a message in it"
    if made > requests:
        more = f"{what}: {made} requests were made, though {requests} would have done"
        return Failure(more, "no request after a good reply", at_once)
    if seen.raised:
        return Failure(
            f"after {what}, call_model raised {_told(seen)}",
            "the request is made again" if requests > 1 else whole,
            "catch openai.OpenAIError round self.complete, and look whether there is a "
            "message before you use it",
        )
    back = seen.returned if isinstance(seen.returned, list) else [seen.returned]
    messages = [_message_in(value) for value in back]
    useless = [value for value, message in zip(back, messages) if message is None]
    gave = _given_back((useless or back)[0])
    if made < requests:
        return Failure(
            f"after {what}, call_model gave back {gave}; requests made: {made}",
            f"{requests} requests, the last of which is answered",
            "in each call, ask up to self.attempts times until there is a message in "
            "the reply",
        )
    good = [reply for reply in seen.replies if reply.role == "assistant"]
    if not _same(messages, good):
        answered = f"request {requests} was answered, and call_model gave back {gave}"
        return Failure(answered, whole, at_once)
    return _not_the_same(seen)


def _message_in(completion: Any) -> Message | None:
    try:
        message = completion["choices"][0]["message"]
    except (LookupError, TypeError):
        return None
    return read_message(message) if message else None


def _given_back(value: Any) -> str:
    """What call_model gave back, in a learner's words."""
    if isinstance(value, dict) and "choices" in value:
        return f"a completion with{'' if _message_in(value) else 'out'} a message"
    return "a message" if isinstance(value, dict) and "role" in value else said(value)


def _same(some: Sequence[Message | None], others: Sequence[Message]) -> bool:
    return len(some) == len(others) and all(
        one is not None and one.same_as(other) for one, other in zip(some, others)
    )


def _not_the_same(seen: Evidence) -> Failure | None:
    """Whether the request after a failed one was another request."""
    for failed, again in pairwise(seen.requests):
        if failed.failure and not _same(failed.messages, again.messages):
            return Failure(
                f"request {failed.number} failed, and request {again.number} held "
                "other messages",
                "the same messages once more",
                "give self.complete the messages as they are, each time",
            )
    return None


def _not_lost(seen: Evidence, requests: int, why: str) -> Failure | None:
    """Whether a run with a lost provider made more requests, or ended otherwise."""
    if seen.raised:
        return Failure(
            f"the run raised {_told(seen)}",
            "a run that ends as 'provider_error'",
            "give back None from call_model when there is no message",
        )
    if len(seen.requests) != requests:
        return Failure(
            f"requests made: {len(seen.requests)}",
            f"{requests}: {why}",
            "a 400 or 401 ends it at once; anything else is asked for self.attempts "
            "times, the first included",
        )
    stop = (seen.result or {}).get("stopped_by")
    if stop != "provider_error":
        return Failure(
            f"the provider was lost, and stopped_by is {said(stop)}",
            "'provider_error'",
            "give back None from call_model when there is no message",
        )
    return None


def _told(seen: Evidence) -> str:
    raised = seen.raised or {}
    code = f" (in: {raised['code']})" if raised.get("code") else ""
    where = f" at {raised['line']}{code}" if raised["line"] else ""
    return f"{raised['type']}: {raised['message'][:90]}{where}"


def _last_words(seen: Evidence) -> str:
    turns = [event["turn"] for event in seen.events if event["event"] == "reply"]
    return str(turns[-1]["body"]["error"]["message"]) if turns else ""


def _malformed(seen: Evidence) -> Failure | None:
    """Whether a broken call was sent back as it came."""
    refusal = seen.refused and seen.refused.refusal
    if not refusal or refusal["rule"] != "arguments_are_an_object":
        return None
    return Failure(
        f"a request was refused: {refusal['text']}",
        "a history in which every call is well formed",
        "send by self.complete, or send self.sendable(messages)",
    )


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
