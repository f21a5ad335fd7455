"""A run beside a right one."""

import json

from labkit.authoring.verify import reference
from labkit.checking.evidence import Evidence
from labkit.checking.place import Here
from labkit.checking.scenario import Run, Scenario, call, run
from labkit.checking.world import World
from labkit.display.beside import beside
from labkit.display.face import Face
from labkit.watched import right_run
from tests.display.runs import (
    ANSWER,
    OPENING,
    asking,
    ended,
    long_run,
    one_lookup,
    refusal,
    reply,
    request,
)

TWO = run("two_conversions", part="step")


def differing(seen: Evidence, right: Evidence) -> Face:
    found = beside(seen, right)
    assert found is not None
    return found


def test_runs_that_do_not_differ_have_nothing_to_show() -> None:
    assert beside(one_lookup(), one_lookup()) is None
    assert beside(Evidence([], 3), Evidence([], 4)) is None


def test_the_first_difference_is_told_in_three_lines() -> None:
    seen = one_lookup()
    del seen.events[2]["added"][1]["tool_call_id"]
    seen.events[3] = refusal(2, "result_names_its_call", 3, "Missing parameter")
    head, yours, right = differing(seen, one_lookup()).text.splitlines()
    assert head.endswith("the first difference: request 2, message 4")
    assert yours == "  yours: tool (without tool_call_id): {}"
    assert right == "  right: tool [call_1]: {}"


def test_it_is_opened_at_the_first_difference_and_folded_elsewhere() -> None:
    seen, right = long_run(5), long_run(5)
    seen.events[4]["added"] = [asking("call_2")]
    html = differing(seen, right).html
    assert html.count("<details open>") == 1
    assert html.count('data-differs="first"') == 1
    assert "requests 1 to 2: the same in both" in html
    opened = html[html.index("<details open>") :]
    assert opened.index("message 6") < opened.index("</details>")
    assert "differs here" in opened


def test_a_missing_request_is_told() -> None:
    seen = Evidence([request(1, *OPENING), reply(1, asking("call_1"))], ended())
    text = differing(seen, one_lookup()).text
    assert "request 2, sent" in text
    assert "yours: no such request" in text


def test_another_ending_is_a_difference() -> None:
    seen = Evidence(one_lookup().events, ended("length"))
    text = differing(seen, one_lookup()).text
    assert "the end, result.stopped_by" in text
    assert "yours: 'length'" in text


def test_what_checks_do_not_look_at_is_no_difference() -> None:
    spaced = one_lookup(json.dumps({"price": 4.3, "error": None}, indent=4))
    plain = one_lookup('{"price":4.3,"error":null}')
    assert beside(spaced, plain) is None
    other = one_lookup('{"error": "there is no such order"}')
    words = one_lookup('{"error": "KeyError: NW-1"}')
    assert beside(other, words) is None


def test_another_result_is_a_difference() -> None:
    assert beside(one_lookup('{"price": 4.3}'), one_lookup('{"price": 5.3}'))


def test_a_reminder_beside_the_system_prompt_is_no_difference() -> None:
    opening = [OPENING[0], {"role": "system", "content": "Quick!"}, OPENING[1]]
    seen = Evidence([request(1, *opening), reply(1, ANSWER)], ended())
    right = Evidence([request(1, *OPENING), reply(1, ANSWER)], ended())
    assert beside(seen, right) is None


def test_what_is_beside_is_escaped_and_short() -> None:
    face = differing(one_lookup("<script>" * 250_000), one_lookup())
    assert "<script" not in face.html
    assert len(face.html) < 30_000
    assert len(face.text) < 2_000


def test_two_long_runs_beside_each_other_stay_small() -> None:
    seen, right = long_run(100), long_run(100, "[]")
    assert len(differing(seen, right).html) < 100_000


def test_the_finished_agent_makes_a_right_run() -> None:
    right = right_run(TWO, seed=3)
    assert right.result is not None
    assert right.result["stopped_by"] == "answered"
    assert beside(performed(TWO, 3), right) is None


def test_a_function_is_called_as_the_scenario_says() -> None:
    assert right_run(call("truncate", "short", 200)).returned == "short"


def performed(scenario: Scenario, seed: int) -> Evidence:
    assert isinstance(scenario, Run)
    return Here(reference(["step"]), ["step"]).perform(World(scenario, seed))
