"""The provider answers in order, keeps every request, and knows when it is over."""

import json
from typing import Any

import openai
import pytest

from labkit.replay.provider import Provider
from tests.agent.turns import OVERLOADED, call, says
from tests.replay.conftest import ClientFor, Recorded, ask
from tests.replay.conversations import asking, request, result

QUESTION = request()
REFUSED = request(result())
MALFORMED = request(asking(call("refund", "{")), result())
ERROR = request(asking(call("lookup_order")), result(content='{"error": "no x"}'))
ONE, TWO, THREE = says("One."), says("Two."), says("Three.")


@pytest.fixture
def provider(recorded: Recorded) -> Any:
    """Make a provider of these turns."""
    return lambda *turns, **how: Provider(recorded(*turns), **how)


def test_turns_are_given_in_the_recordings_order(provider: Any) -> None:
    made = provider(ONE, TWO, THREE)
    assert [made.answer(QUESTION) for _ in range(3)] == [ONE, TWO, THREE]


def test_every_request_is_kept_refused_ones_too(provider: Any) -> None:
    made = provider(ONE, TWO)
    made.answer(QUESTION)
    made.answer(REFUSED)
    assert made.requests == [QUESTION, REFUSED]


def test_a_failure_on_file_uses_up_its_turn(provider: Any) -> None:
    made = provider(OVERLOADED, ONE)
    assert [made.answer(QUESTION) for _ in range(2)] == [OVERLOADED, ONE]


def test_a_refused_request_uses_up_no_turn(provider: Any) -> None:
    made = provider(ONE, TWO)
    assert made.answer(REFUSED)["status"] == 400
    assert made.answer(QUESTION) == ONE


def test_a_refusal_is_kept_under_its_requests_number(provider: Any) -> None:
    made = provider(ONE, TWO)
    made.answer(QUESTION)
    made.answer(REFUSED)
    [(number, refusal)] = made.refusals.items()
    assert (number, refusal.rule, refusal.message) == (2, "result_follows_its_call", 1)


def test_a_refusal_has_the_apis_shape_and_words(provider: Any) -> None:
    made = provider(ONE)
    assert made.answer(REFUSED) == {
        "status": 400,
        "body": {
            "error": {
                "message": made.refusals[1].text,
                "type": "invalid_request_error",
                "param": "messages.[1].role",
                "code": None,
            }
        },
    }


@pytest.mark.parametrize(("level", "status"), [("openai", 200), ("strict", 400)])
def test_the_level_decides_on_malformed_arguments(
    provider: Any, level: str, status: int
) -> None:
    answer = provider(ONE, level=level).answer(MALFORMED)
    assert answer.get("status", 200) == status


def test_repeat_stays_at_its_turn(provider: Any) -> None:
    again = {"repeat": True, **ONE}
    made = provider({"any": [again]}, TWO, expected=9)
    assert [made.answer(QUESTION) for _ in range(5)] == [again] * 5


def test_the_first_whose_when_holds_answers(provider: Any) -> None:
    sorry = {"when": {"last_tool_result": "error"}, **ONE}
    never = {"when": {"last_tool_result": "denied"}, **TWO}
    turn = {"any": [never, sorry, THREE]}
    assert provider(turn).answer(ERROR) == sorry
    assert provider(turn).answer(QUESTION) == THREE


def test_an_alternative_without_a_when_always_holds(provider: Any) -> None:
    sorry = {"when": {"last_tool_result": "error"}, **TWO}
    assert provider({"any": [ONE, sorry]}).answer(ERROR) == ONE


def test_where_no_when_holds_the_last_alternative_answers(provider: Any) -> None:
    cut, denied = ({"when": {"last_tool_result": k}, **ONE} for k in ("cut", "denied"))
    assert provider({"any": [cut, denied]}).answer(ERROR) == denied


def test_what_does_not_repeat_goes_on_to_the_next_turn(provider: Any) -> None:
    again = {"repeat": True, "when": {"last_tool_result": "error"}, **ONE}
    made = provider({"any": [again, TWO]}, THREE, expected=9)
    asked = [ERROR, ERROR, QUESTION, ERROR]
    assert [made.answer(each) for each in asked] == [again, again, TWO, THREE]


def test_beyond_its_end_the_recording_says_that_it_ended(provider: Any) -> None:
    made = provider(ONE)
    made.answer(QUESTION)
    answer = made.answer(QUESTION)
    assert answer["status"] == 400
    assert answer["body"]["error"]["code"] == "recording_ended"
    assert answer["body"]["error"]["message"] == (
        "The recording 'small_talk' ends after 1 replies and this is request 2: the "
        "conversation was over. To begin it anew, connect to it again."
    )
    assert made.refusals[2].rule == "recording_ended"


def test_what_is_wrong_with_a_request_matters_more_than_the_end(provider: Any) -> None:
    made = provider(ONE)
    made.answer(QUESTION)
    made.answer(REFUSED)
    assert made.refusals[2].rule == "result_follows_its_call"


def test_the_real_client_raises_a_refusal_with_its_words(
    provider: Any, client: ClientFor
) -> None:
    made = provider(ONE)
    real = client(made.answer)
    ask(real)
    with pytest.raises(openai.BadRequestError, match="ends after 1 replies") as caught:
        ask(real)
    assert caught.value.code == "recording_ended"


def test_a_request_is_kept_as_it_left_the_client(
    provider: Any, client: ClientFor
) -> None:
    made = provider(ONE)
    ask(client(made.answer), "caf\u00e9?")
    messages = [{"role": "user", "content": "caf\u00e9?"}]
    assert made.requests == [{"messages": messages, "model": "replayed"}]
    assert json.dumps(made.requests)
