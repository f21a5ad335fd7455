"""Lesson 2, the dispatcher: from a name the model wrote to a function of ours."""

import json
from typing import Any

from labkit.checking import Evidence, Failure, call, check, ending, fixture, result_of
from labkit.shop import TOOLS


def schema(name: str) -> dict[str, Any]:
    """A tool that takes no arguments."""
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


ORDER = {"order_id": "NW-1041"}
REFUND = ORDER | {"amount": 1}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "calculator": {"expression": "6 * 7"},
    "lookup_order": ORDER,
    "list_orders": {"status": "shipped"},
    "shipping_rate": {"country": "Norway"},
    "convert_currency": {"to_currency": "EUR", "amount": 12.5, "from_currency": "USD"},
    "refund": REFUND,
}
RESULTS = [0, [], None, {"item": "„Ærø“, 5 kg"}, {"error": "no order 'NW-9999'"}]
MADE_UP = ["find_order", 'lookup_order("NW-1041")']
NEARLY = ["Refund", "refund ", "refunds"]
RATE_ONLY = "only shipping_rate was declared"

# the table alone: what stands in it is called, never compared
shop = fixture("functions")
built = call("build_registry", TOOLS, shop)
own = [built.then_call(name, **args) for name, args in ARGUMENTS.items()]
weather = {"weather": fixture("returning", "rain"), "tide": fixture("returning", "low")}
two = call("build_registry", [schema("tide"), schema("weather")], weather)
with_parcel = [*TOOLS[:3], schema("track_parcel"), *TOOLS[3:]]
missing = call("build_registry", with_parcel, shop)
rate_only = call("build_registry", [schema("shipping_rate")], shop)

# dispatch alone, with a plain dict as its table
known = [call("dispatch", shop, name, args) for name, args in ARGUMENTS.items()]
postboxes = [{"postbox": fixture("returning", value)} for value in RESULTS]
results = [call("dispatch", table, "postbox", {}) for table in postboxes]
made_up = [call("dispatch", shop, name, ORDER) for name in MADE_UP]
nearly = [call("dispatch", shop, name, REFUND) for name in NEARLY]
misnamed = call("dispatch", shop, "lookup_order", {"order": "NW-1041"})
scales = {"weigh": fixture("raising", "KeyError", "weight_kg")}
no_such, broken = (call("dispatch", scales, name, {}) for name in ("measure", "weigh"))

# both together
pair = call("dispatch", result_of(built), "calculator", ARGUMENTS["calculator"])
undeclared = call("dispatch", result_of(rate_only), "refund", REFUND)

HINTS = {
    "build_registry": [
        "There are two lists: the schemas and the functions. The model sees one of "
        "them. Which names must the table therefore have, and what if the other list "
        "lacks one?",
        'A schema keeps its name in tool["function"]["name"]. Collect the names that '
        "functions lacks; if there are any, raise an exception that says which.",
        "names: one for each tool. missing: those not in functions; any of them? raise "
        "ValueError with missing in its text. Then return a dict, from each name to "
        "functions[name], without calling it.",
    ],
    "dispatch": [
        "Who reads the text you return, and who would see an exception? Which of the "
        "two can ask again with another name?",
        "Look the name up before you call anything. If it is not in the table, the "
        'answer is JSON too: {"error": …}, with the name in it.',
        'Unknown: return json.dumps({"error": …}) and be done. Known: call it with '
        "**args and return json.dumps of whatever came back, nothing added.",
    ],
}

LEARNED = (
    "You wrote the dispatcher: a name that a model wrote leads to a declared "
    "function, or to an error that the model can read, and to nothing else."
)


@check(built)
def builds_without_running(seen: Evidence) -> Failure | None:
    """the table is built, and building it runs no tool"""
    if seen.tool_runs or not isinstance(seen.returned, dict):
        return Failure(
            f"build_registry {_came(seen)}",
            "a table: each name with its function, not yet called",
            "return a dict that holds the functions themselves, without () behind them",
        )
    return None  # a dict, or an object that may be looked up like one


@check(
    *own, two.then_call("weather"), points=2, after=builds_without_running, raises=True
)
def leads_to_its_own_function(*evidence: Evidence) -> Failure | None:
    """each declared tool leads to its own function"""
    for name, seen in zip([*ARGUMENTS, "weather"], evidence):
        if [run.name for run in seen.tool_runs] != [name] and seen.returned != "rain":
            return Failure(
                f"calling what the table has under {name!r} {_came(seen)}",
                f"functions[{name!r}], called once",
                "make one entry for each tool, with what functions holds under that "
                "name; a lambda in a loop sees only the last one",
            )
    return None


@check(missing, points=2, after=builds_without_running, raises=True)
def names_what_nobody_wrote(seen: Evidence) -> Failure | None:
    """a declared tool without a function is named when the table is built"""
    if seen.raised and "track_parcel" in seen.raised["message"]:
        return None
    return Failure(
        f"track_parcel is declared, nobody wrote it; build_registry {_came(seen)}",
        "an exception with track_parcel in its text",
        "compare name by name, and raise with the missing names in the message",
    )


@check(
    rate_only.then_call("refund", **REFUND),
    after=leads_to_its_own_function,
    raises=True,
)
def leaves_out_what_is_not_declared(seen: Evidence) -> Failure | None:
    """what no schema declares cannot be reached"""
    return _ran(seen, RATE_ONLY)


@check(*known, points=2)
def answers_with_json(*evidence: Evidence) -> Failure | None:
    """arguments arrive by name, and the answer is what came back, as JSON text"""
    for (name, args), seen in zip(ARGUMENTS.items(), evidence):
        if [(run.name, run.args) for run in seen.tool_runs] != [(name, args)]:
            return Failure(
                f"a call of {name} with {args} {_came(seen)}",
                f"{name}, run once with these arguments",
                "call registry[name] once, with **args",
            )
        if failure := _not_json_of(seen, seen.tool_runs[0].result):
            return failure
    return None


@check(*results, after=answers_with_json)
def adds_nothing(*evidence: Evidence) -> Failure | None:
    """0, [] and None are answers too, and a tool's own error arrives as it is"""
    return next(filter(None, map(_not_json_of, evidence, RESULTS)), None)


@check(*made_up, points=2, after=answers_with_json, raises=True)
def tells_that_there_is_no_such_tool(*evidence: Evidence) -> Failure | None:
    """a name nobody declared runs nothing; the answer is an error that repeats it"""
    return next(filter(None, map(_no_error, evidence, MADE_UP)), None)


@check(*nearly, after=tells_that_there_is_no_such_tool, raises=True)
def runs_only_the_exact_name(*evidence: Evidence) -> Failure | None:
    """a name that is nearly right runs nothing"""
    asked = (f"{name!r} was asked for" for name in NEARLY)
    return next(filter(None, map(_ran, evidence, asked)), None)


@check(
    made_up[0],
    misnamed,
    no_such,
    broken,
    after=tells_that_there_is_no_such_tool,
    raises=True,
)
def tells_a_fault_from_a_wrong_name(*evidence: Evidence) -> Failure | None:
    """a call that fails is not told as a name that does not exist"""
    no_order, misnamed, no_such, broken = evidence
    return _told_alike("lookup_order without an order_id", misnamed, no_order) or (
        _told_alike("a tool with a KeyError inside", broken, no_such)
    )


@check(
    pair,
    undeclared,
    after=(leaves_out_what_is_not_declared, tells_that_there_is_no_such_tool),
    raises=True,
)
def fits_together(pair: Evidence, undeclared: Evidence) -> Failure | None:
    """dispatch finds in your table what was declared, and nothing else"""
    if not pair.tool_runs:
        return Failure(
            f"with your table, a call of calculator {_came(pair)}",
            "what the calculator returned",
            "let dispatch look names up in the way your table can be asked",
        )
    return _ran(undeclared, RATE_ONLY) or _no_error(undeclared, "refund")


def _ran(seen: Evidence, cause: str) -> Failure | None:
    """Whether a tool ran that was out of reach."""
    if not seen.tool_runs:
        return None
    return Failure(
        f"{cause}, and {seen.tool_runs[0].name} ran",
        "no tool runs",
        "a name leads to a function if it is declared, letter by letter",
    )


def _not_json_of(seen: Evidence, value: Any) -> Failure | None:
    """Whether the answer is anything but this value as JSON text."""
    answer = _parsed(seen.returned)
    if answer == value and isinstance(answer, bool) == isinstance(value, bool):
        return None
    return Failure(
        f"the function returned {value!r:.60}; dispatch {_came(seen)}{_no_json(seen)}",
        f"as JSON text: {json.dumps(value, ensure_ascii=False):.60}",
        "json.dumps what the function returned, whatever it is, and add nothing",
    )


def _no_error(seen: Evidence, name: str) -> Failure | None:
    """Whether this is anything but an error as JSON text that holds the name."""
    answer = _parsed(seen.returned)
    error = isinstance(answer, dict) and answer.get("error")
    if error and _letters(name) in _letters(str(answer)) and not seen.tool_runs:
        return None
    return Failure(
        f"a call of {name!r} {_came(seen)}{_no_json(seen)}",
        f'{{"error": …}} as JSON text, with {name!r} in it',
        "see whether the name is in the table before you call; the model can only "
        "mend what it reads",
    )


def _told_alike(what: str, fault: Evidence, unknown: Evidence) -> Failure | None:
    """Whether a call that failed was answered like an unknown name, or with no error.

    What was raised is left for whoever calls dispatch: lesson 5 catches it.
    """
    if fault.raised or (not _no_error(fault, "") and _words(fault) != _words(unknown)):
        return None
    return Failure(
        f"a call of {what} {_came(fault)}",
        "the exception, or an error that says what failed",
        "look the name up first, so that no except has to stand round the call",
    )


def _came(seen: Evidence) -> str:
    """What came of a call: what ran, and what was returned or raised."""
    names = ", ".join(run.name for run in seen.tool_runs)
    ran = f"ran {names} and " if names else ""
    if not seen.raised:
        return f"{ran}gave back {ending.said(seen.returned, 90)}"
    where = f" ({seen.raised['line']})" if seen.raised["line"] else ""
    return f"{ran}raised {seen.raised['type']}: {seen.raised['message']:.80}{where}"


def _parsed(text: Any) -> Any:
    """The value of JSON text; an ellipsis, which no JSON gives, where it is none."""
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return ...


def _no_json(seen: Evidence) -> str:
    text = isinstance(seen.returned, str) and _parsed(seen.returned) is ...
    return ", which is not JSON" if text else ""


def _letters(text: str) -> str:
    """The text without what quoting and escaping change."""
    return "".join(filter(str.isalnum, text))


def _words(seen: Evidence) -> str:
    """What an answer says whichever name was asked for."""
    text = _letters(str(seen.returned))
    for name in ("lookuporder", "findorder", "weigh", "measure"):
        text = text.replace(name, "")
    return text
