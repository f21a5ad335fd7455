"""Lesson 3, the loop: what is sent, in which order, and when it stops."""

from typing import Any

from labkit.checking import Evidence, Failure, check, ending, first, only, protocol, run
from labkit.quantity import quantity

at_once = run("at_once", part="step")
one_lookup = run("one_lookup", part="step")
two_conversions = run("two_conversions", part="step")
three_at_once = run("three_at_once", part="step")
chain = run("shipping_chain", part="step")
after_error = run("after_error", part="step")
workspace = run("workspace_retries", part="step", agent="workspace")
beside_text = run("text_and_calls", part="step")
odd_finish = run("finish_reasons", part="step")
long_result = run("whole_table", part="step", limits=only(result_chars=1000))
twice = run("asked_twice", part="step", times=2)
two_steps = run("shipping_chain", part="step", limits=only(steps=2))
lost = run("provider_lost", part="step", options={"attempts": 1}, expected=2)

ENTRY = {"name", "arguments", "result"}

HINTS = {
    "step": [
        "The API remembers nothing between two requests. What does the next request "
        "have to hold so that the model can go on from its own words?",
        "After a reply, result.messages grows by the model's message, whole, and then "
        "by one message per call. Which field says which call a result is for?",
        'Ask; None ends the run as "provider_error". Count the step and its tokens. '
        "Append the message. A veto or no calls: its text is the answer. Else append "
        'for each call, in order, {"role": "tool", "tool_call_id": …, "content": …}.',
    ]
}

LEARNED = (
    "You wrote the loop: it sends everything again, answers each call under its own "
    "id, and goes on until the model asks for nothing."
)


@check(at_once)
def answers_at_once(seen: Evidence) -> Failure | None:
    """a question answered at once costs one request, and the text is the answer"""
    return ending.refused(seen) or ending.no_result(seen) or ending.not_finished(seen)


@check(at_once, one_lookup, chain, after=answers_at_once, raises=True)
def sends_everything_again(*evidence: Evidence) -> Failure | None:
    """system prompt and question open a run; with the tools they go in every request"""
    opened = first(protocol.badly_opened, evidence)
    return opened or first(protocol.not_sent_again, evidence)


@check(
    one_lookup,
    two_conversions,
    three_at_once,
    chain,
    beside_text,
    points=2,
    after=sends_everything_again,
)
def keeps_what_the_model_said(*evidence: Evidence) -> Failure | None:
    """what the model asked goes back as it came, before any result"""
    once = first(ending.stopped_early, evidence[:-1])
    return once or first(protocol.not_kept, evidence)


@check(
    one_lookup,
    two_conversions,
    three_at_once,
    chain,
    points=2,
    after=keeps_what_the_model_said,
)
def answers_each_call(*evidence: Evidence) -> Failure | None:
    """each call runs once and gets one result, in order, under its own id"""
    return first(protocol.not_answered, evidence)


@check(chain, after_error, workspace, points=2, after=answers_each_call)
def goes_on_until_nothing_is_asked(*evidence: Evidence) -> Failure | None:
    """it goes on until nothing is asked, and not one request more"""
    return first(ending.not_finished, evidence)


@check(beside_text, odd_finish, after=goes_on_until_nothing_is_asked)
def only_the_calls_decide(*evidence: Evidence) -> Failure | None:
    """only the calls decide: text beside them and finish_reason do not"""
    return first(ending.not_finished, evidence)


@check(long_result, after=goes_on_until_nothing_is_asked)
def sends_what_the_hook_gave_back(seen: Evidence) -> Failure | None:
    """the text that is sent is the one on_tool_result gave back"""
    cut = any(isinstance(line, dict) and line.get("truncated") for line in seen.trace)
    longest = max((len(m.text) for r in seen.requests for m in r.messages), default=0)
    if cut and longest > 1200:
        return Failure(
            f"request 2 carries {longest} characters, though on_tool_result cut them",
            "1000 at most, the limit of this run",
            "send the text on_tool_result returns, not the one you gave it",
        )
    return ending.refused(seen)


@check(chain, two_conversions, twice, after=goes_on_until_nothing_is_asked)
def counts_and_starts_empty(*evidence: Evidence) -> Failure | None:
    """steps and calls are counted, and a second run starts empty"""
    for seen in evidence[:2]:
        asked = [call.name for reply in seen.replies for call in reply.calls]
        if failure := _miscounted(seen.result, len(seen.replies), asked):
            return failure
    return _second_run_differs(evidence[2])


@check(two_steps, lost, after=counts_and_starts_empty)
def names_why_it_stopped(budget: Evidence, lost: Evidence) -> Failure | None:
    """a budget stop and a lost provider end the run with their names"""
    return (
        _misnamed(budget, "step_budget", "2 steps were allowed and done")
        or _misnamed(lost, "provider_error", "the provider answered 503")
        or _overspent(budget)
    )


def _misnamed(seen: Evidence, reason: str, cause: str) -> Failure | None:
    stop = (seen.result or {}).get("stopped_by")
    if stop == reason:
        return None
    return Failure(
        f"{cause}, and stopped_by is {ending.said(stop)}",
        repr(reason),
        "pass the reason on: over_budget names its own, and a call_model that gives "
        "None is 'provider_error'",
    )


def _overspent(seen: Evidence) -> Failure | None:
    if len(seen.requests) <= 2:
        return None
    return Failure(
        f"{quantity(len(seen.requests), 'request')} with a budget of 2 steps",
        "2",
        "look at the budget before you ask",
    )


def _miscounted(
    result: dict[str, Any] | None, steps: int, asked: list[str], where: str = ""
) -> Failure | None:
    result = result or {}
    if result.get("steps") != steps:
        return Failure(
            f"result.steps is {ending.said(result.get('steps'))} after {steps} "
            f"completions{where}",
            str(steps),
            "begin each run at 0 and add one for each completion, not for each call",
        )
    entries = result.get("tool_calls")
    kept = entries if isinstance(entries, list) else []
    whole = [e for e in kept if isinstance(e, dict) and e.keys() >= ENTRY]
    if len(whole) != len(kept) or [e["name"] for e in whole] != asked:
        names = ", ".join(str(e["name"]) for e in whole)
        return Failure(
            f"result.tool_calls holds {quantity(len(kept), 'entry')}, "
            f"whole ones: {names or 0}",
            f"{', '.join(asked)}, each with name, arguments and result",
            "keep one such dict for each call; execute_calls does",
        )
    return None


def _second_run_differs(seen: Evidence) -> Failure | None:
    results = seen.returned if isinstance(seen.returned, list) else []
    runs = [r["fields"] for r in results if isinstance(r, dict) and "fields" in r]
    opening = [r for r in seen.requests if r.messages[-1].role != "tool"]
    if len(opening) == 2 and len(opening[1].messages) != len(opening[0].messages):
        return Failure(
            "the second run's first request holds "
            f"{quantity(len(opening[1].messages), 'message')}",
            f"{len(opening[0].messages)}, as in the first run",
            "keep the transcript in the result of this run, not on the agent",
        )
    for fields in runs[1:]:
        if failure := _miscounted(fields, 2, ["lookup_order"], " in the second run"):
            return failure
    if len(runs) != 2 or runs[0].get("answer") != runs[1].get("answer"):
        return Failure(
            "the second run of the same question gave another result",
            "the same as the first",
            "let nothing of one run be left on the agent for the next",
        )
    return None
