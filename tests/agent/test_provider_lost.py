"""A failed request is asked again; a wrong one is not; then the run ends."""

from typing import Any

import httpx2
import openai
import pytest

from labkit.agent import Agent
from tests.agent.conftest import StageFor
from tests.agent.turns import DROPPED, OVERLOADED, Turn, asks, call, reply, says

JSON = {"content-type": "application/json"}
ERROR = {"message": "upstream overloaded", "code": 502}
NO_MESSAGE: dict[str, Turn] = {
    "choices null": {"body": {"choices": None, "error": ERROR}},
    "choices empty": {"body": {"choices": [], "error": ERROR}},
    "only an error": {"body": {"error": ERROR}},
    "message null": {"body": {"choices": [{"message": None}], "error": ERROR}},
}
UNREADABLE: dict[str, Turn] = {
    "a page": {"body": "<html><h1>upstream overloaded</h1></html>"},
    "nothing": {"body": ""},
    "nothing said to be JSON": {"body": "", "headers": JSON},
    "half of it": {"body": '{"id": "chatcmpl-1", ', "headers": JSON},
    "a list": {"body": "[]", "headers": JSON},
    "null": {"body": "null", "headers": JSON},
    "a stream": {"sse": ["data: {}"]},
    "choices that are text": {"body": {"choices": "none"}},
    "a choice that is null": {"body": {"choices": [None]}},
    "a message that is text": {"body": {"choices": [{"message": "Hello"}]}},
    "a call without a function": asks({"id": "call_1", "type": "function"}),
}
FAILURES: dict[str, Turn] = (
    NO_MESSAGE
    | UNREADABLE
    | {
        "503": OVERLOADED,
        "500 page": {"status": 500, "body": "<html></html>"},
        "429": {"status": 429, "body": {"error": {"message": "Slow down."}}},
        "408": {"status": 408, "body": {"error": {"message": "Too slow."}}},
        "409": {"status": 409, "body": {"error": {"message": "Locked."}}},
        "dropped": DROPPED,
        "dropped in the middle": {"sse": ["data: {}"], "end": "reset"},
    }
)
WRONG = [400, 401, 403, 404, 413, 422]
failures = pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())


@failures
def test_a_failed_request_is_asked_again(stage: StageFor, failure: Turn) -> None:
    made = stage(failure, failure, says("Done."))
    result = made.run()
    assert (result.answer, result.steps, result.error) == ("Done.", 1, "")
    assert made.requests[0] == made.requests[1] == made.requests[2]


@failures
def test_it_is_asked_as_often_as_attempts_say(stage: StageFor, failure: Turn) -> None:
    made = stage(failure, failure, attempts=2)
    result = made.run()
    assert result.stopped_by == "provider_error"
    assert (len(made.requests), result.steps, result.tokens) == (2, 0, 0)


def test_a_spent_quota_is_not_asked_again(stage: StageFor) -> None:
    error = {"message": "The credit is spent.", "code": "insufficient_quota"}
    made = stage({"status": 429, "body": {"error": error}})
    result = made.run()
    assert (result.stopped_by, len(made.requests)) == ("provider_error", 1)
    assert "The credit is spent." in result.error


@pytest.mark.parametrize(
    "failure", [*NO_MESSAGE.values(), UNREADABLE["a page"]], ids=repr
)
def test_what_the_provider_said_instead_is_in_the_error(
    stage: StageFor, failure: Turn
) -> None:
    assert "upstream overloaded" in stage(failure, attempts=1).run().error


def test_a_long_page_is_told_by_how_it_begins(stage: StageFor) -> None:
    error = stage({"body": "<html>" + "x" * 9_000}, attempts=1).run().error
    assert "<html>" in error
    assert len(error) < 400


def test_the_last_words_are_those_of_the_last_attempt(stage: StageFor) -> None:
    made = stage(DROPPED, OVERLOADED, attempts=2)
    assert "The server is overloaded." in made.run().error


def test_a_lost_provider_is_told_in_the_answer(stage: StageFor) -> None:
    answer = stage(OVERLOADED, attempts=1).run().answer
    assert answer == "No answer: stopped by provider_error."


@pytest.mark.parametrize("status", WRONG)
def test_a_wrong_request_is_not_sent_twice(stage: StageFor, status: int) -> None:
    body = {"error": {"message": "It is too long.", "code": "context_length"}}
    made = stage({"status": status, "body": body})
    result = made.run()
    assert result.stopped_by == "provider_error"
    assert "It is too long." in result.error


def test_a_failed_request_repeats_no_tool(stage: StageFor) -> None:
    ran = []
    functions = {"echo": lambda: ran.append("echo")}
    tools = [{"type": "function", "function": {"name": "echo"}}]
    turns = [asks(call("echo")), OVERLOADED, OVERLOADED, says("Done.")]
    result = stage(*turns, tools=tools, functions=functions).run()
    assert result.answer == "Done."
    assert ran == ["echo"]


def test_what_was_answered_before_the_loss_is_kept(stage: StageFor) -> None:
    result = stage(asks(call("list_orders")), OVERLOADED, attempts=1).run()
    assert result.stopped_by == "provider_error"
    assert (result.steps, len(result.tool_calls), len(result.messages)) == (1, 1, 4)


def test_an_error_that_was_survived_is_not_told_in_the_next_run(
    stage: StageFor,
) -> None:
    made = stage(OVERLOADED, says("One."), reply({"content": None}))
    made.run()
    assert made.run().error == ""


def test_call_model_gives_the_reply_or_none(stage: StageFor) -> None:
    agent = stage(says("Hi."), OVERLOADED, attempts=1).agent
    messages = [{"role": "user", "content": "Hello?"}]
    response = agent.call_model(messages)
    assert response
    assert response.choices[0].message.content == "Hi."
    assert agent.call_model(messages) is None


@pytest.mark.parametrize(
    "failure", [OVERLOADED, DROPPED, *UNREADABLE.values()], ids=str
)
def test_complete_asks_once_and_raises_what_one_handler_can_catch(
    stage: StageFor, failure: Turn
) -> None:
    made = stage(failure)
    with pytest.raises(openai.OpenAIError):
        made.agent.complete([{"role": "user", "content": "Hello?"}])
    assert len(made.requests) == 1


@pytest.mark.parametrize("choices", [None, []])
def test_complete_hands_on_a_reply_without_choices(
    stage: StageFor, choices: Any
) -> None:
    agent = stage({"body": {"choices": choices, "error": ERROR}}).agent
    response = agent.complete([{"role": "user", "content": "Hello?"}])
    assert response.choices == choices


def test_each_request_has_a_time_out() -> None:
    seen: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.extensions["timeout"])
        return httpx2.Response(200, json=says("Hi.")["body"])

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as http:
        client = openai.OpenAI(
            api_key="none", base_url="http://replay.invalid", http_client=http
        )
        Agent(client, [], {}, timeout=7).run("Hello?")
    assert set(seen[0].values()) == {7}
