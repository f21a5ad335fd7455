"""Lesson 8, evals: a score for one run, and a rate that holds the door."""

import json
from collections.abc import Iterable
from typing import Any

from labkit.checking import Evidence, Failure, call, check, ending, fixture
from labkit.checking.scenario import FunctionCall

Row = tuple[str, bool, FunctionCall]  # what is judged, whether it is right, the call

BOTH = ("lookup_order", "calculator")
REPORT = ("passed", "total", "pass_rate", "failures", "stops", "exit_code")
# Stands in each question, prompt and result of a tool: nobody is to look there.
SPOKEN = "Is it 38.4, 36.02 or 64 by lookup_order, calculator and refund?"
REFUSED = '{"error": "denied: the limit is 100"}'


def case(id: str = "crate", **fields: Any) -> dict[str, Any]:
    """A case as it stands in a file: about postage, unless the fields say else."""
    given = {"id": id, "recording": "shipping_chain", "question": f"What of the {id}?"}
    return given | {"numbers": [38.4], "tools": [*BOTH], "max_steps": 6} | fields


def came(used: tuple[str, ...] = BOTH, **fields: Any) -> dict[str, Any]:
    """The fields of a Result: a right one for `case()`, unless these say else."""
    right = {"answer": "That is 38.4 dollars in all", "stopped_by": "answered"}
    right |= {"steps": 3, "tool_calls": [tool_call(name) for name in used]}
    messages = [{"role": "system", "content": SPOKEN}]
    return right | {"question": SPOKEN, "messages": messages} | fields


def tool_call(name: str, result: str = json.dumps({"told": SPOKEN})) -> dict[str, str]:
    """An entry of a Result's tool_calls."""
    return {"name": name, "arguments": "{}", "result": result}


def row(told: str, right: bool, wanted: dict[str, Any], result: dict[str, Any]) -> Row:
    """One run judged by the learner's `score`, and what it ought to find."""
    return told, right, call("score", wanted, fixture("result", result))


def figures(right: bool, answer: str, *numbers: float) -> Row:
    """An answer, and the figures a case looks for in it."""
    told = f"wanted {' and '.join(f'{number:g}' for number in numbers)} in {answer!r}"
    return row(told, right, case(numbers=[*numbers]), came(answer=answer))


def evaluated(
    threshold: float, outcomes: dict[str, Any], *cases: dict[str, Any]
) -> FunctionCall:
    """The report of the learner's `evaluate`; a case for each outcome by default."""
    listed = [*cases] or [case(id) for id in outcomes]
    ran = call("evaluate", fixture("runs", outcomes), listed, threshold)
    return ran.reading(*REPORT)


def calls(rows: list[Row]) -> list[FunctionCall]:
    """The scenarios of these rows."""
    return [scenario for _, _, scenario in rows]


REFUND = case(tools=["refund"])
NOTHING_ASKED = case(numbers=[], tools=[])
LOST = came((), answer="Hm", steps=9, stopped_by="step_budget")
RIGHT = [
    row("a right run", True, case(), came()),
    row("a run that is wrong in every way", False, case(), LOST),
    row("a right run, after a wrong one", True, case(), came()),
]
FIGURES = [
    figures(False, "You paid 640 dollars", 64),
    figures(False, "The postage is 138.40 dollars", 38.4),
    figures(False, "The postage is 38.43 dollars", 38.4),
    figures(True, "Together that is $1,234.50 today", 1234.5),
    figures(True, "It costs 38.40.", 38.4),
    figures(True, "You paid 640 dollars", 640.0),
    figures(True, "For 3 kilos that is 38.4 dollars, in 2 parcels", 38.4),
    figures(True, "That is 38.4 dollars, or 36.02 euros", 36.02, 38.4),
    figures(False, "That is 36.02 euros", 36.02, 38.4),
    figures(False, "That is 38.4 dollars", 36.02, 38.4),
    figures(False, "Sorry, I cannot say", 38.4),
]
USED_A_TOOL = "The calculator and the refund tool say 38.4"
TURNED_DOWN = [tool_call("refund", REFUSED)]
UNUSED = [  # the first word of each is the tool that a reason has to name
    row("calculator did not run", False, case(), came(BOTH[:1], answer=USED_A_TOOL)),
    row("lookup_order did not run", False, case(), came(BOTH[1:])),
    row("refund did not run", False, REFUND, came(answer=USED_A_TOOL)),
]
MORE = came(("calculator", "refund", *BOTH))
THEN_DONE = came(tool_calls=[*TURNED_DOWN, tool_call("refund")])
MORE_USED = [
    row("more tools, another order", True, case(), MORE),
    row("refund was refused, then done", True, REFUND, THEN_DONE),
]
STEPS = [
    row("6 steps, max_steps is 6", True, case(), came(steps=6)),
    row("3 steps with 8 calls, max_steps is 6", True, case(), came(BOTH * 4)),
    row("7 steps, max_steps is 6", False, case(), came(steps=7)),
]
STOPS = [
    row(f"stopped_by is {stop!r}", False, wanted, came(stopped_by=stop))
    for stop in ("step_budget", "tool_call_budget", "token_budget")
    for wanted in (case(), NOTHING_ASKED)
]
ALL_WRONG = came(BOTH[:1], answer="It is 17 dollars", steps=9)
all_wrong = row("", False, case(), ALL_WRONG)[2]
asked_again = [row("", True, case(), ran)[2].twice() for ran in (came(), ALL_WRONG)]

GOOD = {"crate": came(), "desk": came()}
DOORS = [
    ("1 of 2, threshold 0.5", 0, evaluated(0.5, GOOD | {"desk": LOST})),
    ("1 of 2, threshold 0.6", 1, evaluated(0.6, GOOD | {"desk": LOST})),
    ("2 of 2, threshold 1.0", 0, evaluated(1.0, GOOD)),
    (
        "3 of 4, threshold 0.75",
        0,
        evaluated(0.75, GOOD | {"lamp": came(), "bed": LOST}),
    ),
    ("0 of 1, threshold 0.5", 1, evaluated(0.5, {"lamp": LOST})),
]
NO_TOOLS, FAIL = came(()), {"lamp", "desk"}
STOPPED = {"crate": "answered", "desk": "answered", "lamp": "step_budget"}
two_of_three = evaluated(0.5, {"crate": came(), "lamp": LOST, "desk": came()})
two_fail = evaluated(0.5, {"lamp": NO_TOOLS, "crate": came(), "desk": NO_TOOLS})
same_id = evaluated(
    0.5, {"lamp": NO_TOOLS}, case("lamp", tools=["refund"]), case("lamp", tools=[*BOTH])
)
two_raise = evaluated(
    0.3,
    {
        "lamp": {"raises": ["KeyError", "weight_kg"]},
        "crate": came(),
        "desk": {"raises": ["RuntimeError", "the server is gone"]},
    },
)
nothing = evaluated(0.8, {})
once = evaluated(0.5, {"crate": came(), "lamp": LOST})

HINTS = {
    "score": [
        "A run can be wrong in four ways that need no reader: how it stopped, how long "
        "it took, which tools ran, which figures it gives. Where does a Result keep "
        "each of them?",
        "Begin with an empty list and append a reason for each thing that is wrong; "
        "never return before the end. Figures are compared as numbers: "
        "numbers_in(result.answer).",
        "Not an answer: a reason. More than max_steps: a reason. Each of tools that is "
        "not in tools_that_ran(result), and each of numbers that numbers_in did not "
        "find: a reason each. Return the list.",
    ],
    "evaluate": [
        "One run may raise. What should become of the cases after it? And what is the "
        "rate of no cases at all?",
        "Put a try round the run of one case, inside the for. What it raised is the "
        "reason; go on. After the for, the rate and the exit code.",
        "An EvalReport; for each case: run it, score it, report.add(case, reasons, "
        "stop). Nothing in total: ValueError. Then pass_rate, passed by total, and "
        "exit_code: 0 from the threshold up, else 1.",
    ],
}

LEARNED = (
    "You wrote the evals: each run gets its reasons, a run that raises fails only its "
    "own case, and the pass rate decides the exit code."
)


@check(*calls(RIGHT))
def has_nothing_against_a_right_run(*evidence: Evidence) -> Failure | None:
    """a right run has nothing against it, an empty list; a wrong one has reasons"""
    mend = "collect texts in a list, one for each fault, and return it in the end"
    if _reasons(evidence[0]):
        mend = "print what is compared there: nothing is wrong with this run"
    elif _reasons(evidence[2]):
        mend = "begin each call with a new list: reasons = [] inside score"
    return _misjudged(RIGHT, evidence, mend)


@check(*calls(FIGURES), points=2, after=has_nothing_against_a_right_run)
def looks_for_figures_as_numbers(*evidence: Evidence) -> Failure | None:
    """each figure of the case is looked for in the answer, as a number"""
    mend = "look for each of them among the numbers of numbers_in(result.answer)"
    return _misjudged(FIGURES, evidence, mend)


@check(*calls(UNUSED + MORE_USED), points=2, after=has_nothing_against_a_right_run)
def names_a_tool_that_did_not_run(*evidence: Evidence) -> Failure | None:
    """a tool that did not run is named; more tools, in any order, do not matter"""
    mend = "ask of each of the case's tools whether it is in tools_that_ran(result)"
    for (told, _, _), seen in zip(UNUSED, evidence):
        name = told.split()[0]
        if not any(name in reason for reason in _reasons(seen)):
            return Failure(
                f"{told}: score gave back {_short(seen.returned)}",
                f"a reason that names {name}",
                mend,
            )
    return _misjudged(MORE_USED, evidence[len(UNUSED) :], mend)


@check(*calls(STEPS), after=has_nothing_against_a_right_run)
def allows_as_many_steps_as_the_case(*evidence: Evidence) -> Failure | None:
    """as many steps as the case allows pass, one more does not"""
    mend = "compare result.steps with the case's max_steps; reaching it is allowed"
    return _misjudged(STEPS, evidence, mend)


@check(*calls(STOPS), after=has_nothing_against_a_right_run)
def a_budget_stop_is_lost(*evidence: Evidence) -> Failure | None:
    """a run that a budget ended is lost, whatever it says"""
    mend = "look at result.stopped_by in every case, before or after all the rest"
    return _misjudged(STOPS, evidence, mend)


@check(
    all_wrong,
    after=(
        looks_for_figures_as_numbers,
        names_a_tool_that_did_not_run,
        allows_as_many_steps_as_the_case,
    ),
)
def keeps_every_reason(seen: Evidence) -> Failure | None:
    """a run that is wrong in three ways has all the reasons against it"""
    reasons = _reasons(seen)
    told = " ".join(reasons)
    if len(reasons) >= 3 or all(said in told for said in ("38.4", "calculator", "9")):
        return None
    return Failure(
        f"no 38.4, no calculator, 9 steps of 6: score gave back {_short(reasons)}",
        "a reason for each of the three",
        "append to one list; nothing returns and nothing is overwritten before the end",
    )


@check(*asked_again, after=keeps_every_reason)
def a_case_is_not_used_up(*evidence: Evidence) -> Failure | None:
    """asked twice about the same case and run, it says the same"""
    for before, after in (seen.returned for seen in evidence):
        if before != after:
            return Failure(
                f"first {_short(before)}, then {_short(after)}",
                "the same reasons again",
                "read the case and the result, and leave both as they are",
            )
    return None


@check(two_of_three, after=has_nothing_against_a_right_run)
def counts_what_passed(seen: Evidence) -> Failure | None:
    """it counts the cases and those that passed; the rate lies between 0 and 1"""
    return _incomplete(seen) or _miscounted(seen, 2, 3)


@check(once, once.twice(), after=(counts_what_passed, a_case_is_not_used_up))
def starts_anew_each_time(once: Evidence, twice: Evidence) -> Failure | None:
    """the same cases a second time give the same report"""
    for again in twice.returned:
        for name in REPORT:
            if (found := again.get(name)) != (right := once.returned.get(name)):
                return Failure(
                    f"{name} is {_short(right)}, and if done twice {_short(found)}",
                    "the same",
                    "a new report for each evaluation, and cases left as they are",
                )
    return None


@check(*[scenario for _, _, scenario in DOORS], points=2, after=counts_what_passed)
def holds_the_door(*evidence: Evidence) -> Failure | None:
    """at the threshold the exit code is 0, below it 1"""
    for (told, code, _), seen in zip(DOORS, evidence):
        if (found := seen.returned.get("exit_code")) != code:
            return Failure(
                f"{told}: exit_code is {ending.said(found)}",
                str(code),
                "compare the rate itself with the threshold; reaching it is enough",
            )
    return None


@check(two_fail, points=2, after=(counts_what_passed, keeps_every_reason))
def lists_what_failed(seen: Evidence) -> Failure | None:
    """every failing case, and no other, is listed with its reasons"""
    return _unlisted(seen, alone=True) or _reasons_lost(seen, BOTH, sorted(FAIL))


@check(same_id, after=(lists_what_failed, keeps_every_reason), raises=True)
def equal_ids_lose_nothing(seen: Evidence) -> Failure | None:
    """two failing cases of the same id keep the reasons of both"""
    raised = seen.raised or {"type": "", "message": ""}
    if "ValueError" in raised["type"] or "lamp" in raised["message"]:
        return None  # such a list of cases was refused, and told why
    lost = _incomplete(seen) or _reasons_lost(seen, ("refund", *BOTH))
    return lost or _miscounted(seen, 0, 2)


@check(two_of_three, after=counts_what_passed)
def tells_how_the_runs_stopped(seen: Evidence) -> Failure | None:
    """each question, passed or not, stands under the stop reason of its run"""
    stops = seen.returned["stops"]
    for id, stop in STOPPED.items():
        under = stops.get(stop) if isinstance(stops, dict) else None
        if case(id)["question"] not in _text(under):
            return Failure(
                f"under {stop!r} stands {_short(under) if under else 'nothing'}",
                f"the question {case(id)['question']!r}, for its run stopped so",
                "report.add does it, for passed and failed cases alike: give it "
                "result.stopped_by",
            )
    return None


@check(two_raise, points=2, after=counts_what_passed, raises=True)
def a_run_that_raises_fails_alone(seen: Evidence) -> Failure | None:
    """a run that raises fails its case and no other"""
    if raised := seen.raised:
        told = f"a run raised {raised['type']}, and evaluate let it out"
        mend = "a try inside the for, with the run of one case in it"
        if raised["type"] not in ("KeyError", "RuntimeError"):
            told = f"evaluate raised {raised['type']} itself: {raised['message']}"
            mend = "give reasons and stop a value in the except, too"
        return Failure(told, "a report: that case failed, the others judged", mend)
    if failure := _incomplete(seen) or _miscounted(seen, 1, 3) or _unlisted(seen):
        return failure
    failures, stops = seen.returned["failures"], seen.returned["stops"]
    answered = stops.get("answered") if isinstance(stops, dict) else None
    if any(isinstance(f, list) and _is_spelled(f) for f in failures.values()):
        told, expected = f"failures: {_short(failures)}", "a list of texts for each"
        mend = "a text is no list of reasons: put what was raised between [ and ]"
    elif case("desk")["question"] in _text(answered):
        told, expected = (
            f"under 'answered' stands {_short(answered)}",
            "no run there that raised",
        )
        mend = "give report.add another stop in the except, such as 'raised'"
    else:
        return None
    return Failure(told, expected, mend)


@check(nothing, after=counts_what_passed, raises=True)
def no_cases_have_not_passed(seen: Evidence) -> Failure | None:
    """no cases at all is never a pass"""
    told = "exit_code is 0"
    if seen.raised:
        if seen.raised["type"] != "ZeroDivisionError":
            return None
        told = "it divided by zero"
    elif failure := _incomplete(seen):
        return failure
    elif seen.returned["exit_code"]:
        return None
    return Failure(
        f"no cases: {told}",
        "a ValueError that says so, or an exit code of 1",
        "look at the total before you divide by it",
    )


def _reasons(seen: Evidence) -> list[str]:
    """The texts that score gave back; [] if there were none, or something else."""
    back = seen.returned
    texts = isinstance(back, list) and all(isinstance(item, str) for item in back)
    return back if texts else []


def _misjudged(
    rows: list[Row], evidence: Iterable[Evidence], mend: str
) -> Failure | None:
    """The first run with reasons against it that is right, or without that is not."""
    for (told, right, _), seen in zip(rows, evidence):
        if raised := seen.raised:
            back = f"raised {raised['type']}: {raised['message']}"
        elif seen.returned == [] if right else _reasons(seen):
            continue
        else:
            back = f"gave back {_short(seen.returned)}"
        expected = "an empty list, []" if right else "a list with a reason in it"
        return Failure(f"{told}: score {back}", expected, mend)
    return None


def _incomplete(seen: Evidence) -> Failure | None:
    """Whether the report lacks one of its fields."""
    report = seen.returned if isinstance(seen.returned, dict) else {}
    if not (missing := [name for name in REPORT if name not in report]):
        return None
    raised = f"evaluate raised {seen.raised['type']}" if seen.raised else ""
    return Failure(
        raised or f"what evaluate gave back has no {', '.join(missing)}",
        f"an EvalReport: {', '.join(REPORT)}",
        "return the report itself, from a plain def",
    )


def _miscounted(seen: Evidence, passed: int, total: int) -> Failure | None:
    report, told = seen.returned, _short(seen.returned["failures"])
    mend = "give run the case, score what comes back, and report.add counts"
    rate = "passed divided by total, before the report is returned"
    for name, right, try_ in (
        ("passed", passed, mend),
        ("total", total, mend),
        ("pass_rate", passed / total, rate),
    ):
        found = report[name]
        if not isinstance(found, int | float) or not abs(found - right) < 0.011:
            return Failure(
                f"{name} is {ending.said(found)}; failures: {told}",
                f"{right:.3g}, for {passed} of {total} cases are right",
                try_,
            )
    return None


def _unlisted(seen: Evidence, alone: bool = False) -> Failure | None:
    """Whether the failures lack a case of FAIL or its reasons, or have another."""
    failures = seen.returned["failures"]
    found = failures if isinstance(failures, dict) else {}
    told = all(_text(found.get(id)).strip() for id in FAIL)
    if told and not (alone and found.keys() - FAIL):
        return None
    return Failure(
        f"failures: {_short(failures)}",
        f"the ids {' and '.join(sorted(FAIL))}, each with its reasons",
        "go on after a failure, and keep the reasons under case['id']",
    )


def _reasons_lost(
    seen: Evidence, tools: tuple[str, ...], ids: Iterable[str | None] = (None,)
) -> Failure | None:
    """Whether a tool that did not run is told nowhere under an id, or under any."""
    failures = seen.returned["failures"]
    for told in (failures.get(id) if id else failures for id in ids):
        for tool in tools:
            if tool not in _text(told):
                return Failure(
                    f"{tool} did not run; failures: {_short(told)}",
                    "every reason that score gave",
                    "keep all of them, and add to those that an id already has",
                )
    return None


def _is_spelled(reasons: list[Any]) -> bool:
    """Whether a text became a list, letter by letter."""
    return len(reasons) > 1 and all(len(_text(reason)) == 1 for reason in reasons)


def _text(value: Any) -> str:
    """Every text inside a value, joined."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return " ".join(map(_text, inner))
    return value if isinstance(value, str) else ""


def _short(value: Any) -> str:
    """A value as it stands, cut; an object by its class."""
    if isinstance(value, dict | list) and not ("opaque" in value or "type" in value):
        return text if len(text := str(value)) <= 120 else f"{text[:119]}…"
    return ending.said(value)
