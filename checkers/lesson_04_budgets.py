"""Lesson 4, budgets: who counts, who looks, and when a run is cut."""

from collections.abc import Iterable
from typing import Any

from labkit.checking import Evidence, Failure, check, ending, fixture, hook, only, run
from labkit.checking.scenario import Hook
from labkit.quantity import quantity

Case = tuple[str, int, int]  # a budget, how much of it is used, and its limit
Usage = dict[str, Any]

BUDGETS = {  # the stop reason of each, and its counter
    "steps": ("step_budget", "result.steps"),
    "tool_calls": ("tool_call_budget", "len(result.tool_calls)"),
    "tokens": ("token_budget", "result.tokens"),
}
REASONS = [reason for reason, _ in BUDGETS.values()]
# the limits that an agent has by itself, and others
ROOM = [("steps", 7, 8), ("tool_calls", 19, 20), ("tokens", 19_999, 20_000)]
SPENT = [("steps", 8, 8), ("tool_calls", 20, 20), ("tokens", 20_000, 20_000)]
BEYOND = [("tool_calls", 23, 20), ("tokens", 20_311, 20_000)]
OTHER_ROOM = [("steps", 11, 12), ("tool_calls", 44, 45), ("tokens", 49_999, 50_000)]
OTHER_SPENT = [("steps", 3, 3), ("tool_calls", 5, 5), ("tokens", 900, 900)]

IN, OUT = "prompt_tokens", "completion_tokens"
# what a result adds up, and what of
TOTALS = {"tokens": "total_tokens", "tokens_in": IN, "tokens_out": OUT}
KNOWN: list[Usage] = [{IN: 380, OUT: 15}, {IN: 1212, OUT: 64}]
UNKNOWN: list[Usage] = [
    {},
    {"usage": None},
    {"usage": {IN: 0, OUT: 0, "total_tokens": 0}},
    {"usage": {IN: None, OUT: None, "total_tokens": None}},
]
HALVES: list[Usage] = [{IN: 12}, {OUT: 9}, {IN: 12, OUT: 0}, {IN: 0, OUT: 9}]

LOOK_UP = {"name": "lookup_order", "arguments": '{"order_id": "NW-9999"}'}
TEXT: dict[str, Any] = {"content": "It has left the house."}
CALL: dict[str, Any] = {
    "content": None,
    "tool_calls": [{"id": "call_Ln4bK9tu", "type": "function", "function": LOOK_UP}],
}


def asked(*cases: Case) -> Hook:
    """over_budget, asked twice about a run that has used this much."""
    used = {"steps": 1, "tool_calls": 2, "tokens": 800} | {c[0]: c[1] for c in cases}
    entry = LOOK_UP | {"result": '{"error": "there is no order NW-9999"}'}
    fields: dict[str, Any] = used | {"tool_calls": [entry] * used["tool_calls"]}
    fields |= {"tokens_in": used["tokens"] - 40, "tokens_out": 40}
    limits = only(**{budget: limit for budget, _, limit in cases})
    return hook("over_budget", fixture("result", fields), limits=limits, times=2)


def counted(body: Usage, said: dict[str, Any] = TEXT) -> Hook:
    """count_tokens in the middle of a run, for a reply with this in its body."""
    text = "Please tell me what it will cost to send my order back, and when. " * 30
    messages = [{"role": "user", "content": text}]
    reply = {"role": "assistant", "refusal": None, **said}
    choices = [{"index": 0, "message": reply, "finish_reason": "stop"}]
    whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1790000001}
    whole |= {"model": "replayed", "choices": choices, **body}
    so_far = {"steps": 3, "tokens": 1000, "tokens_in": 940, "tokens_out": 60}
    result = fixture("result", so_far | {"messages": messages})
    return hook("count_tokens", result, messages, fixture("completion", whole))


room, spent, beyond, other_room, other_spent = (
    [asked(case) for case in cases]
    for cases in (ROOM, SPENT, BEYOND, OTHER_ROOM, OTHER_SPENT)
)
two_spent = asked(("steps", 8, 8), ("tokens", 20_000, 20_000))
known = [counted({"usage": u | {"total_tokens": sum(u.values())}}) for u in KNOWN]
unknown = [counted(body) for body in UNKNOWN]
saying = (TEXT, TEXT, CALL, CALL)
halves = [counted({"usage": usage}, said) for usage, said in zip(HALVES, saying)]

eight = run("runaway", part="over_budget", limits=only(steps=8), expected=8)
three = run("runaway", part="over_budget", limits=only(steps=3), expected=3)
forty = run("forty_calls", part="over_budget", limits=only(tool_calls=40))
twelve = run("forty_calls", part="over_budget", limits=only(tool_calls=12))
room_left = run("forty_calls", part="over_budget", limits=only(tool_calls=41))
in_pairs = run("runaway", part="over_budget", limits=only(tool_calls=7), expected=4)
grows = run("growing_context", part="over_budget", limits=only(tokens=2_000))
longer = run("growing_context", part="over_budget", limits=only(tokens=6_000))
whole = run("growing_context", part="count_tokens", limits=only(tokens=20_000))
twice = run("runaway", part="over_budget", limits=only(steps=3), expected=6, times=2)
net = only(tokens=1_000, steps=12)  # the steps catch a run that costs nothing
unbilled = [
    run(f"usage_{what}", part="count_tokens", limits=net, expected=12)
    for what in ("missing", "null", "zero", "half")
]

HINTS = {
    "over_budget": [
        "The loop looks before each request. If eight steps are allowed and eight are "
        "done, may it ask once more? Where does the result keep what a run has used?",
        "Three counters, three limits: result.steps, len(result.tool_calls) and "
        "result.tokens, and the fields of self.limits. A counter can jump past its "
        "limit, so compare with >=.",
        "For each of the three: reached? Then return its reason, step_budget, "
        "tool_call_budget or token_budget, as text. None of them reached: return None. "
        "Change nothing.",
    ],
    "count_tokens": [
        "response.usage says what a reply cost. What if it is None, or says 0? Can a "
        "request with text in it have cost nothing?",
        "Two numbers, each with a way out: prompt_tokens, or an estimate of messages; "
        "completion_tokens, or an estimate of response.choices. `or` takes its right "
        "side for None and for 0 alike.",
        "Per number: (usage and usage.….) or replies.estimate_tokens(…). Add one to "
        "result.tokens_in, the other to result.tokens_out, and return their sum; step "
        "adds that to result.tokens.",
    ],
}

LEARNED = (
    "You gave the loop its budgets: steps, tool calls and tokens are counted, unknown "
    "usage is estimated, and a model that is stuck is cut in time."
)


@check(*room)
def says_nothing_while_there_is_room(*evidence: Evidence) -> Failure | None:
    """with room left in every budget it says nothing"""
    return _first(map(_not_silent, ROOM, evidence))


@check(*spent, *beyond, two_spent, points=2, after=says_nothing_while_there_is_room)
def names_the_budget_that_is_spent(*evidence: Evidence) -> Failure | None:
    """a spent budget is named, each by its own reason"""
    answer = _answers(evidence[-1])[0]
    joined = Failure(
        f"steps and tokens are both spent: it gave back {ending.said(answer)}",
        "'step_budget' or 'token_budget'",
        "give back one reason, that of the first spent budget you come to",
    )
    unnamed = _first(map(_not_named, SPENT + BEYOND, evidence))
    return unnamed or (None if answer in REASONS else joined)


@check(*other_room, *other_spent, after=names_the_budget_that_is_spent)
def takes_the_limits_it_was_given(*evidence: Evidence) -> Failure | None:
    """the limits it was given count, not numbers in the code"""
    silent = map(_not_silent, OTHER_ROOM, evidence)
    named = map(_not_named, OTHER_SPENT, evidence[len(OTHER_ROOM) :])
    fault = _first([*silent, *named])
    mend = "compare with the fields of self.limits"
    return fault and Failure(fault.seen, fault.expected, mend)


@check(*room, *spent, after=names_the_budget_that_is_spent)
def looking_does_not_count(*evidence: Evidence) -> Failure | None:
    """looking does not count: asked twice, it says the same"""
    for case, seen in zip(ROOM + SPENT, evidence):
        once, again = _answers(seen)
        if once != again:
            return Failure(
                f"{_used(case)}: first {ending.said(once)}, then {ending.said(again)}",
                "the same both times",
                "only look in over_budget; step and count_tokens do the counting",
            )
    return None


@check(*known)
def gives_what_this_reply_cost(*evidence: Evidence) -> Failure | None:
    """count_tokens gives back what this reply cost, both ways together"""
    for usage, seen in zip(KNOWN, evidence):
        if seen.returned != sum(usage.values()):
            return Failure(
                f"{_told(usage)}: it gave back {ending.said(seen.returned)}",
                f"{sum(usage.values())}, the two together",
                f"return {IN} and {OUT} of this reply alone, added up; step adds that "
                "to the others",
            )
    return None


@check(*unknown, points=2, after=gives_what_this_reply_cost)
def estimates_unknown_usage(*evidence: Evidence) -> Failure | None:
    """a reply without usage still costs something"""
    for body, seen in zip(UNKNOWN, evidence):
        if not _is_more(seen.returned, 0):
            said = f"usage is {body['usage']}" if body else "there is no usage"
            return Failure(
                f"{said}: it gave back {ending.said(seen.returned)}",
                "a number above 0",
                "estimate what is missing, null or zero; nothing is free",
            )
    return None


@check(*halves, after=estimates_unknown_usage)
def estimates_the_missing_half(*evidence: Evidence) -> Failure | None:
    """where one half of the usage is missing, that half is estimated"""
    for usage, seen in zip(HALVES, evidence):
        if not _is_more(seen.returned, sum(usage.values())):
            return Failure(
                f"{_told(usage)}: it gave back {ending.said(seen.returned)}",
                f"more than {sum(usage.values())}: the other half was not free",
                f"look at {IN} and {OUT} one by one; a reply of calls without text "
                "costs something too",
            )
    return None


@check(whole, after=(says_nothing_while_there_is_room, gives_what_this_reply_cost))
def adds_up_both_ways(seen: Evidence) -> Failure | None:
    """over a run, tokens_in, tokens_out and tokens add up to what was billed"""
    bills = [e["turn"]["body"]["usage"] for e in seen.events if e["event"] == "reply"]
    for field, billed in TOTALS.items():
        total, kept = sum(b[billed] for b in bills), (seen.result or {}).get(field)
        if kept != total:
            return Failure(
                f"result.{field} is {ending.said(kept)} after "
                f"{quantity(len(bills), 'reply')}",
                f"{total}, the sum of their {billed}",
                "add to result.tokens_in and result.tokens_out, return the sum, and "
                "leave result.tokens to step",
            )
    return None


READY = (takes_the_limits_it_was_given, looking_does_not_count, adds_up_both_ways)


@check(eight, three, points=2, after=READY)
def cuts_the_runaway_at_the_step_budget(*evidence: Evidence) -> Failure | None:
    """a run that never finishes is cut after as many steps as the budget buys"""
    return _first(map(_not_cut, ["steps"] * 2, (8, 3), evidence))


@check(forty, twelve, in_pairs, room_left, after=cuts_the_runaway_at_the_step_budget)
def counts_every_call(*evidence: Evidence) -> Failure | None:
    """calls are counted one by one, also forty in one message"""
    cut = _first(map(_not_cut, ["tool_calls"] * 3, (1, 1, 4), evidence))
    return cut or ending.not_finished(evidence[-1])


@check(grows, longer, whole, after=cuts_the_runaway_at_the_step_budget)
def cuts_a_run_that_grows(*evidence: Evidence) -> Failure | None:
    """few steps with a growing context are cut by their tokens"""
    cut = _first(map(_not_cut, ["tokens"] * 2, (2, 4), evidence))
    return cut or ending.not_finished(evidence[-1])


@check(
    *unbilled, after=(estimates_the_missing_half, cuts_the_runaway_at_the_step_budget)
)
def cuts_a_run_that_is_never_billed(*evidence: Evidence) -> Failure | None:
    """a run whose usage nobody tells is cut too"""
    for seen in evidence:
        kept = {field: (seen.result or {}).get(field) for field in TOTALS}
        tokens, *halves = kept.values()
        said = ", ".join(f"{field} {ending.said(kept[field])}" for field in TOTALS)
        counters = (
            f"{quantity(len(seen.replies), 'reply')}, none with a whole usage: {said}"
        )
        if not _is_more(tokens, len(seen.replies) - 1):
            return Failure(
                counters,
                "more tokens with every reply",
                "estimate each reply whose usage is unknown, the later ones too",
            )
        if not _is_sum(tokens, halves):
            return Failure(
                counters,
                "tokens_in and tokens_out together make tokens",
                "add what you estimate to result.tokens_in and result.tokens_out too",
            )
        if _is_more(tokens, 999) and (cut := _not_cut("tokens", 0, seen)):
            return cut
    return None


@check(twice, after=cuts_the_runaway_at_the_step_budget)
def begins_each_run_anew(seen: Evidence) -> Failure | None:
    """a second run has its whole budget"""
    if len(seen.requests) == 6:
        return None
    return Failure(
        f"with 3 steps each, two runs made {quantity(len(seen.requests), 'request')}",
        "6 requests",
        "read what a run has used from its result, and keep nothing on self",
    )


def _first(failures: Iterable[Failure | None]) -> Failure | None:
    return next(filter(None, failures), None)


def _not_silent(case: Case, seen: Evidence) -> Failure | None:
    answer, (_, counter) = _answers(seen)[0], BUDGETS[case[0]]
    if not answer:
        return None
    early = f"a budget is spent when {counter} has reached its limit, not before"
    return Failure(
        f"{_used(case)}: it gave back {ending.said(answer)}",
        "None, since there is room for more",
        early if answer in REASONS else "a reason is given for a spent budget alone",
    )


def _not_named(case: Case, seen: Evidence) -> Failure | None:
    answer, (reason, counter) = _answers(seen)[0], BUDGETS[case[0]]
    if answer == reason:
        return None
    if answer:
        mend = "give back the reason as text; each budget has its own"
    elif case in BEYOND:
        mend = "a counter can jump past its limit: compare with >="
    else:
        mend = f"compare {counter} with self.limits.{case[0]}; reached is spent"
    seen_ = f"{_used(case)}: it gave back {ending.said(answer)}"
    return Failure(seen_, repr(reason), mend)


def _not_cut(budget: str, requests: int, seen: Evidence) -> Failure | None:
    """Whether a run made another number of requests, if it matters, or stop reason."""
    reason, counter = BUDGETS[budget]
    stop = (seen.result or {}).get("stopped_by")
    if stop == reason and len(seen.requests) == (requests or len(seen.requests)):
        return None
    return Failure(
        f"{quantity(len(seen.requests), 'request')}, and stopped_by is "
        f"{ending.said(stop)}",
        f"{requests or len(seen.requests)}, and then {reason!r}",
        f"before each request, compare {counter} with self.limits.{budget}",
    )


def _answers(seen: Evidence) -> list[Any]:
    """What came back the first time and the second."""
    pair = seen.returned
    return pair if isinstance(pair, list) and len(pair) == 2 else [pair, pair]


def _used(case: Case) -> str:
    budget, used, limit = case
    return f"{used} of {limit} {budget.replace('_', ' ')} used"


def _told(usage: Usage) -> str:
    return f"usage says {', '.join(f'{key} {usage[key]}' for key in usage)}"


def _is_more(value: Any, than: int) -> bool:
    return type(value) in (int, float) and value > than


def _is_sum(value: Any, parts: list[Any]) -> bool:
    numbers = all(type(part) in (int, float) for part in parts)
    return numbers and abs(sum(parts) - value) < 1
