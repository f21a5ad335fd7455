"""Lesson 7, truncation and trace: what is sent on is short, what is kept is true."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import starmap
from random import Random
from typing import Any

from labkit.checking import (
    AskedCall,
    Evidence,
    Failure,
    call,
    check,
    ending,
    first,
    fixture,
    hook,
    only,
    run,
)
from labkit.checking.scenario import FunctionCall, Hook
from labkit.quantity import quantity

# Runes and Gothic letters, which lie beyond 16 bits: nobody writes a marker in them, so
# whatever else comes back is the marker.
LETTERS = "".join(map(chr, [*range(0x16A0, 0x16D0), *range(0x10330, 0x10340)]))
FIELDS = ["step", "tool", "arguments", "result_chars", "truncated", "seconds", "tokens"]
MARKER_ROOM = 300
CLOCK = 100_000  # seconds: what is above is a time of day


def _text(length: int, lines: bool = False) -> str:
    """A text of this length in which no piece comes twice."""
    letters = Random(length).choices(LETTERS, k=length)
    if lines:
        letters[59::60] = "\n" * len(letters[59::60])
    return "".join(letters)


def _call(length: int, limit: int, lines: bool = False) -> FunctionCall:
    return call("truncate", _text(length, lines), limit)


def _result(content: str) -> Hook:
    """One result after three completions, with a limit of 1000 characters."""
    made = fixture("call", "call_k2Wq8RtZ", "lookup_order", '{"order_id": "NW-1041"}')
    so_far = fixture("result", {"steps": 3, "tokens": 4120})
    limits = only(result_chars=1000)
    return hook("on_tool_result", so_far, made, content, limits=limits)


fitting = (
    _call(0, 200),
    _call(1999, 2000),
    _call(200, 200),
    _call(1000, 1000, lines=True),
    call("truncate", " two  blanks, and a line end\n", 200),
)
too_long = (
    _call(201, 200),
    _call(6000, 200),
    _call(12_345, 1000),
    _call(5000, 1000, lines=True),
    _call(30_000, 8000),
)
long_result = _result(_text(4321))
results = (
    long_result,
    _result('{"error": "' + _text(4000) + '"}'),
    _result("order " * 166),
    _result("orders, " * 125),
)
table = run(
    "filter_after_the_cut", part="on_tool_result", limits=only(result_chars=7000)
)
failing = run(
    "calls_that_fail",
    part="on_tool_result",
    limits=only(result_chars=7000),
    level="strict",
    instead={"shipping_rate": fixture("raising", "KeyError", "rate")},
)

HINTS = {
    "truncate": [
        "A text of 300 characters and a limit of 200: how many of its characters can "
        "you keep, if the marker has to fit in too?",
        "Know how long the marker can get before you cut: marker(len(text), len(text)) "
        "is the longest one for this text. What the limit leaves beside it is room for "
        "the beginning.",
        "Short enough: give it back. Otherwise room = limit - …; then text[:room] and "
        "a marker that counts what lies beyond room.",
    ],
    "on_tool_result": [
        "Which of the seven fields come out wrong if you look at the text after "
        "cutting it instead of before?",
        "Keep both texts, under two names. self.trace.write(step=…, tool=…, …) appends "
        "one line; step and tokens are counted in result, the other fields come from "
        "call and the two texts.",
        "kept = truncate(content, self.limits.result_chars); then one "
        "self.trace.write(…) with all seven fields, whatever came of the call; last, "
        "give back kept.",
    ],
}

LEARNED = (
    "You cut long results and say so in a marker, and your trace keeps one true line "
    "for each call, written before the next request."
)


@check(*fitting)
def what_fits_is_unchanged(*evidence: Evidence) -> Failure | None:
    """what fits is unchanged, exactly at the limit too"""
    for made, seen in zip(fitting, evidence):
        text, limit = made.args
        if seen.returned != text:
            return Failure(
                f"{len(text)} characters with a limit of {limit}: "
                f"{_came_back(seen.returned)}",
                "the same text",
                "count characters, len(text); up to the limit, return text as it is"
                if isinstance(seen.returned, str)
                else "return the text, and nothing beside it",
            )
    return None


@check(*too_long, after=what_fits_is_unchanged)
def never_longer_than_the_limit(*evidence: Evidence) -> Failure | None:
    """what does not fit comes back no longer than the limit, marker included"""
    for made, seen in zip(too_long, evidence):
        (text, limit), short = made.args, seen.returned
        if not isinstance(short, str) or len(short) > limit:
            mend = "the marker needs room as well: cut further back, by its length"
            if short == text:
                mend = "compare len(text), in characters, with the limit handed to you"
            elif not isinstance(short, str):
                mend = "return the short text, and nothing beside it"
            return Failure(
                f"{len(text)} characters with a limit of {limit}: {_came_back(short)}",
                f"a text of at most {limit} characters",
                mend,
            )
    return None


@check(*too_long, after=never_longer_than_the_limit)
def keeps_text_of_the_original(*evidence: Evidence) -> Failure | None:
    """what is kept is text of the original, as much as there is room for"""
    for made, seen in zip(too_long, evidence):
        (text, limit), place = made.args, 0
        for piece in (pieces := _kept(text, seen.returned)):
            place = text.find(piece.strip("\n"), place)
            if place < 0 or len(pieces) > 4:
                return Failure(
                    f"{len(text)} characters with a limit of {limit}: what came back "
                    "stands nowhere like that in the text",
                    "a beginning, an end, or both, as they were",
                    "slice the text itself, text[:room], and change nothing in it",
                )
        if (kept := sum(map(len, pieces))) < (limit - MARKER_ROOM) / 4:
            return Failure(
                f"{len(text)} characters with a limit of {limit}: {kept} of them kept",
                "most of the limit used for the text",
                "keep as much of the text as the limit leaves beside the marker",
            )
    return None


@check(*too_long, points=2, after=keeps_text_of_the_original)
def the_marker_counts_truly(*evidence: Evidence) -> Failure | None:
    """a marker says how many characters were left out, and of how many"""
    made = ((*made.args, seen.returned) for made, seen in zip(too_long, evidence))
    return next(filter(None, starmap(_untrue, made)), None)


@check(*results, table, after=never_longer_than_the_limit)
def sends_the_short_text(*evidence: Evidence) -> Failure | None:
    """the next request carries the short text, and a short one as it came"""
    *alone, run = evidence
    for made, seen in zip(results, alone):
        content, sent = made.args[2], seen.returned
        what = "an error" if "error" in content else "a result"
        told = f"{what} of {len(content)} characters, limit 1000: {_came_back(sent)}"
        if len(content) > 1000:
            if failure := _not_cut(sent, 1000, told):
                return failure
        elif sent != content:
            return Failure(
                told,
                "the same text",
                "give back what truncate(content, self.limits.result_chars) returns",
            )
    if not run.tool_runs:
        return ending.not_finished(run)
    tools = [m.text for r in run.requests[1:2] for m in r.messages if m.role == "tool"]
    whole, sent = len(json.dumps(run.tool_runs[0].result)), "".join(tools)
    told = f"a result of {whole} characters, limit 7000: request 2 carries {len(sent)}"
    return ending.refused(run) or _not_cut(sent, 7000, told)


@check(long_result, after=(sends_the_short_text, the_marker_counts_truly))
def sends_the_marker_with_it(seen: Evidence) -> Failure | None:
    """a text that was cut is sent with its marker"""
    failure = _untrue(long_result.args[2], 1000, seen.returned)
    mend = "send what truncate(content, self.limits.result_chars) gave you, as it is"
    return failure and replace(failure, try_=mend)


@check(failing, table)
def each_line_is_an_object_of_its_own(*evidence: Evidence) -> Failure | None:
    """each trace line is one JSON object, appended, and none is written over"""
    if not any(seen.trace for seen in evidence):
        return Failure(
            "the trace is empty",
            "a line for each call the model made",
            "write it in on_tool_result, with self.trace.write(step=…, tool=…, …)",
        )
    return first(_badly_written, evidence)


@check(failing, table, points=2, after=each_line_is_an_object_of_its_own)
def each_call_leaves_a_line(*evidence: Evidence) -> Failure | None:
    """each call leaves one line with the seven fields, a failing call too"""
    return first(_not_traced, evidence)


@check(failing, table, after=each_call_leaves_a_line)
def is_on_disk_before_the_next_request(*evidence: Evidence) -> Failure | None:
    """the line is on disk before the next request"""
    return first(_late, evidence)


@check(*results, after=(sends_the_short_text, is_on_disk_before_the_next_request))
def tells_the_whole_length(*evidence: Evidence) -> Failure | None:
    """result_chars is the length before the cut, and truncated says if there was one"""
    for made, seen in zip(results, evidence):
        whole = made.args[2]
        line: dict[str, Any] = next(_lines(seen), {})
        told, said = line.get("result_chars"), line.get("truncated")
        cut = seen.returned != whole
        if told != len(whole) or said not in (True, False) or said != cut:
            return Failure(
                f"a result of {len(whole)} characters, limit 1000: result_chars is "
                f"{ending.said(told)}, truncated {ending.said(said)}",
                f"{len(whole)} and {cut}",
                "truncated is True or False: whether the text to send is another one"
                if told == len(whole)
                else "measure content as it arrived, in characters: len(content)",
            )
    return None


@check(failing, after=each_call_leaves_a_line)
def step_and_tokens_are_the_runs(seen: Evidence) -> Failure | None:
    """step is the number of the completion, tokens the run's total so far"""
    wanted = [(step, total) for step, total, _ in _calls(seen)]
    for n, (line, (step, total)) in enumerate(zip(_lines(seen), wanted), 1):
        for field, right in (("step", step), ("tokens", total)):
            if line[field] != right:
                return Failure(
                    f"line {n}, {line['tool']}: {field} is {ending.said(line[field])}",
                    f"{right}, as result.{'steps' if field == 'step' else field} was",
                    "take step from result.steps and tokens from result.tokens",
                )
    return None


def _came_back(value: Any) -> str:
    if isinstance(value, str):
        return f"a text of {len(value)} came back"
    return f"{ending.said(value)} came back"


def _kept(text: str, short: str) -> list[str]:
    """The pieces of a text in its cut form; a line end may be the marker's as well."""
    letters = LETTERS + "\n" * ("\n" in text)
    return [p for p in re.findall(f"[{letters}]+", short) if p.strip("\n")]


def _untrue(text: str, limit: int, short: str) -> Failure | None:
    """Whether the marker in a text that was cut lacks a number, or has a wrong one."""
    pieces, whole = _kept(text, short), len(text)
    most, least = sum(map(len, pieces)), sum(len(p.strip("\n")) for p in pieces)
    said = " ".join(re.sub(f"[{LETTERS}\n]+", " ", short).split())
    plain = re.sub(r"(?<=\d)[,._'\u2019\s](?=\d{3}(?!\d))", "", said)  # 4,321 is 4321
    numbers = [int(digits) for digits in re.findall(r"\d+", f"{said} {plain}")]
    missing = range(whole - most, whole - least + 1)
    exchanged = any(int(a) > int(b) for a, b in re.findall(r"(\d+) of (\d+)", plain))
    if whole in numbers and not exchanged and any(n in missing for n in numbers):
        return None
    mend = "count len(text) minus what you keep of it, in characters"
    if len(re.findall(r"\d+", plain)) < 2:
        mend = "put both numbers into it; marker(left_out, whole) does"
    elif exchanged:
        mend = "first what was left out, then how many there were, as in marker"
    elif {whole, whole - limit} <= {*numbers}:
        mend = "the marker takes room too: what is left out is more than the excess"
    return Failure(
        f"{whole} characters, limit {limit}, {least} kept; the marker says "
        f"{ending.said(said, 90) if said else 'nothing'}",
        f"{missing[-1]} left out, of {whole}",
        mend,
    )


def _not_cut(text: Any, limit: int, told: str) -> Failure | None:
    if isinstance(text, str) and 0 < len(text) <= limit:
        return None
    return Failure(
        told,
        f"the text truncate made of it, at most {limit}",
        "cut to self.limits.result_chars and return what truncate gave you"
        if text
        else "end on_tool_result with a return; truncate has to give a text, too",
    )


def _lines(seen: Evidence) -> Iterator[Any]:
    """The trace without empty lines."""
    return (line for line in seen.trace if line != "")


def _calls(seen: Evidence) -> Iterator[tuple[int, int, Any]]:
    """Each call the model made, with its step and the tokens of the run until then."""
    turns = [event["turn"] for event in seen.events if event["event"] == "reply"]
    total = 0
    for step, (turn, reply) in enumerate(zip(turns, seen.replies), 1):
        total += turn["body"]["usage"]["total_tokens"]
        yield from ((step, total, call) for call in reply.calls)


def _badly_written(seen: Evidence) -> Failure | None:
    if any(event["event"] == "rewritten" for event in seen.events):
        return Failure(
            "lines that were in the file are gone or changed",
            "a line for each call, each left as it was",
            'add to the end: self.trace.write(…) does, or open the file with "a"',
        )
    for n, line in enumerate(_lines(seen), 1):
        if not isinstance(line, dict):
            return Failure(
                f"line {n} of the trace is {ending.said(line, 90)}",
                "one JSON object, whole, on a line of its own",
                'self.trace.write(…) does it; by hand, json.dumps(fields) + "\\n"',
            )
    return None


def _not_traced(seen: Evidence) -> Failure | None:
    lines, calls = list(_lines(seen)), list(_calls(seen))
    if len(lines) > len(calls):
        return Failure(
            f"{quantity(len(lines), 'line')} for {quantity(len(calls), 'call')}",
            "one for each call",
            "write one line in on_tool_result, and none elsewhere",
        )
    for n, (step, _, asked) in enumerate(calls):
        where = f"call {n + 1}, {asked.name} of reply {step}"
        line = lines[n] if n < len(lines) else {}
        if len(lines) < len(calls) and not _is_about(line, asked):
            return Failure(
                f"{where}: its line is missing",
                "a line for each call, in order, whatever came of it",
                "write the line before any return, for errors too",
            )
        if missing := [field for field in FIELDS if field not in line]:
            return Failure(
                f"{where}: its line lacks {', '.join(missing)}",
                ", ".join(FIELDS),
                "give all seven fields to self.trace.write, by these names",
            )
        if not _is_about(line, asked):
            return Failure(
                f"{where}: tool is {line['tool']!s:.60}, arguments is "
                f"{line['arguments']!s:.60}",
                f"{asked.name} and {asked.arguments}",
                "write call.name and call.arguments, the model's own text",
            )
        if not _is_time(line["seconds"]):
            return Failure(
                f"{where}: seconds is {ending.said(line['seconds'])}",
                "how long the tool took, as a number",
                "write call.seconds",
            )
    return None


def _is_about(line: dict[str, Any], asked: AskedCall) -> bool:
    """Whether a line is this call's: its tool, its arguments as text or parsed."""
    written = line.get("arguments", asked.arguments)
    if line.get("tool") != asked.name or written == asked.arguments:
        return line.get("tool") == asked.name
    wanted = _parsed(asked.arguments)
    if wanted is None:
        return written != {}  # what is no JSON in any form, but not as no arguments
    return bool(wanted == (_parsed(written) if isinstance(written, str) else written))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_time(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and 0 <= value < CLOCK)


def _late(seen: Evidence) -> Failure | None:
    steps = [step for step, _, _ in _calls(seen)]
    written = 0
    for event in seen.events:
        written += event["event"] == "trace" and event["line"] != ""
        if event["event"] == "request":
            owed = sum(step < event["number"] for step in steps)
            if written < owed:
                return Failure(
                    f"request {event['number']} went out with {written} of {owed} "
                    "lines on disk",
                    "every line there before the model is asked again",
                    "write and flush, or close, within on_tool_result; "
                    "self.trace.write does",
                )
    return None
