"""Below the real openai client, a turn becomes the response it describes."""

from typing import Any

import httpx2
import openai
import pytest

from labkit.replay.transport import ADDRESS
from tests.agent.turns import DROPPED, OVERLOADED, Turn, says
from tests.replay.conftest import ClientFor, ask

LINES = [
    'data: {"choices": [{"index": 0, "delta": {"content": "One, "}}]}',
    ": keep-alive",
    'data: {"choices": [{"index": 0, "delta": {"content": "two \\u2028 caf\u00e9."}}]}',
]


def stream(client: openai.OpenAI) -> Any:
    """The pieces of a streamed reply, one by one."""
    chunks = client.chat.completions.create(
        model="replayed", messages=[{"role": "user", "content": "?"}], stream=True
    )
    with chunks:
        for chunk in chunks:
            yield chunk.choices[0].delta.content


def raw(client: openai.OpenAI) -> Any:
    """The HTTP response to one question, unread by the SDK."""
    return client.chat.completions.with_raw_response.create(
        model="replayed", messages=[{"role": "user", "content": "?"}]
    )


def test_a_body_is_the_completion_it_holds(client: ClientFor) -> None:
    response = ask(client(lambda request: says("H\u00e9llo \u2615", system="kept")))
    assert response.choices[0].message.content == "H\u00e9llo \u2615"
    assert response.usage.total_tokens == 100
    assert response.model_extra == {"system": "kept"}


def test_the_request_reaches_the_answer_as_json(client: ClientFor) -> None:
    seen: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> Turn:
        seen.append(request)
        return says("Hi.")

    ask(client(answer), "caf\u00e9?")
    assert seen[0]["messages"] == [{"role": "user", "content": "caf\u00e9?"}]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (404, openai.NotFoundError),
        (429, openai.RateLimitError),
        (503, openai.InternalServerError),
    ],
)
def test_a_status_becomes_the_clients_own_error(
    client: ClientFor, status: int, error: type[openai.APIStatusError]
) -> None:
    turn = {"status": status, "body": {"error": {"message": "No.", "code": "some"}}}
    with pytest.raises(error, match=r"No\.") as caught:
        ask(client(lambda request: turn))
    assert caught.value.code == "some"


def test_the_client_does_not_try_again_by_itself(client: ClientFor) -> None:
    seen: list[Any] = []

    def answer(request: dict[str, Any]) -> Turn:
        seen.append(request)
        return OVERLOADED

    with pytest.raises(openai.InternalServerError):
        ask(client(answer))
    assert len(seen) == 1


def test_headers_arrive_with_the_response(client: ClientFor) -> None:
    headers = {"retry-after": "2", "x-request-id": "req_1"}
    turn = {"status": 429, "headers": headers, "body": {"error": {}}}
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client(lambda request: turn))
    assert caught.value.response.headers["Retry-After"] == "2"
    assert caught.value.request_id == "req_1"


@pytest.mark.parametrize("key", ["content-type", "Content-Type"])
def test_a_headers_own_value_wins_however_it_is_spelled(
    client: ClientFor, key: str
) -> None:
    turn = {"headers": {key: "application/json"}, "body": '{"id": "chatcmpl-9"}'}
    response = raw(client(lambda request: turn))
    assert response.headers["content-type"] == "application/json"
    assert response.parse().id == "chatcmpl-9"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"id": "x"}, "application/json"),
        ("<html></html>", "text/html"),
        ("", "text/html"),
    ],
)
def test_a_body_says_what_it_is(client: ClientFor, body: Any, kind: str) -> None:
    response = raw(client(lambda request: {"body": body}))
    assert response.headers["content-type"] == kind


def test_a_text_body_arrives_as_it_is(client: ClientFor) -> None:
    page = "<html><h1>502 Bad Gateway \u00e9</h1></html>"
    with pytest.raises(openai.InternalServerError) as caught:
        ask(client(lambda request: {"status": 502, "body": page}))
    assert caught.value.response.text == page


def test_a_turn_without_a_body_has_an_empty_one(client: ClientFor) -> None:
    assert raw(client(lambda request: {"status": 200})).text == ""


@pytest.mark.parametrize("end", ["done", "eof"])
def test_a_stream_is_read_line_by_line_to_its_end(client: ClientFor, end: str) -> None:
    pieces = stream(client(lambda request: {"sse": LINES, "end": end}))
    assert list(pieces) == ["One, ", "two \u2028 caf\u00e9."]


@pytest.mark.parametrize(
    ("turn", "last"),
    [
        ({"sse": LINES}, b"data: [DONE]\n\n"),
        ({"sse": LINES, "end": "done"}, b"data: [DONE]\n\n"),
        ({"sse": LINES, "end": "eof"}, f"{LINES[-1]}\n\n".encode()),
    ],
    ids=["default", "done", "eof"],
)
def test_only_done_says_that_it_is_done(
    client: ClientFor, turn: Turn, last: bytes
) -> None:
    response = raw(client(lambda request: turn))
    assert response.headers["content-type"] == "text/event-stream"
    assert response.content.endswith(last)


def test_a_stream_that_is_reset_gives_what_came_before(client: ClientFor) -> None:
    pieces = stream(client(lambda request: {"sse": LINES, "end": "reset"}))
    assert [next(pieces), next(pieces)] == ["One, ", "two \u2028 caf\u00e9."]
    with pytest.raises((openai.APIConnectionError, httpx2.ReadError)):
        next(pieces)


def test_a_dropped_connection_is_one_to_the_client(client: ClientFor) -> None:
    with pytest.raises(openai.APIConnectionError):
        ask(client(lambda request: DROPPED))


def test_a_client_leads_nowhere_even_without_its_transport(client: ClientFor) -> None:
    made = client(lambda request: says("Hi."))
    assert made.base_url.host == "replay.invalid"
    assert ADDRESS.startswith("http://replay.invalid")
