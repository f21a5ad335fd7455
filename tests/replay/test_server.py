"""A recording over real HTTP is the replay of it, for any client."""

import json
import signal
import socket
import subprocess
import sys
from typing import Any

import httpx2
import openai
import pytest

from labkit.agent import Agent, Result
from labkit.errors import LabError
from labkit.replay import connect
from labkit.replay.recording import Recording, Turn
from labkit.replay.server import Server
from labkit.replay.serving import Conversation
from labkit.replayed_run import answered, asked_recording, named_recording
from labkit.shop import SYSTEM, TOOLS, Shop
from tests.agent.turns import DROPPED, asks, call, says
from tests.replay.conftest import Recorded
from tests.serving import client_of, serving, serving_recording
from tests.test_cli import labkit

LINES = ['data: {"choices": [{"index": 0, "delta": {"content": "Hi."}}]}', ": alive"]
WELL = [{"role": "user", "content": "Well?"}]


def run_of(client: openai.OpenAI, question: str) -> Result:
    shop = Shop()
    try:
        return Agent(client, TOOLS, shop.functions, system=SYSTEM).run(question)
    finally:
        shop.close()


def said(client: openai.OpenAI, **fields: Any) -> Any:
    return client.chat.completions.create(
        model="any", messages=fields.pop("messages", WELL), **fields
    )


@pytest.mark.parametrize(
    "name",
    [
        "shipping_chain",
        "three_at_once",
        "glued_arguments",
        "busy_twice",
        "dropped_once",
        "html_page",
        "gateway_says_no",
        "wrong_key",
        "choices_null",
        "provider_lost",
    ],
)
def test_a_run_over_http_is_the_run_of_the_replay(name: str) -> None:
    question = named_recording(name).question
    with connect(name) as replayed:
        expected = run_of(replayed, question)
    with serving_recording(name) as server, client_of(server) as client:
        assert run_of(client, question) == expected


def test_a_broken_request_is_refused_in_the_apis_words() -> None:
    orphan = [*WELL, {"role": "tool", "tool_call_id": "x", "content": "{}"}]
    with serving_recording("shipping_chain") as server, client_of(server) as client:
        with pytest.raises(openai.BadRequestError, match="must be a response to"):
            said(client, messages=orphan)
        assert said(client).choices[0].message.tool_calls


def test_a_level_is_as_strict_as_it_is_in_a_replay() -> None:
    asked = [*WELL, asks(call("f", "{"))["body"]["choices"][0]["message"]]
    asked.append({"role": "tool", "tool_call_id": "call_1", "content": "{}"})
    with (
        serving_recording("shipping_chain", level="strict") as server,
        client_of(server) as client,
        pytest.raises(openai.BadRequestError),
    ):
        said(client, messages=asked)


def test_a_failures_own_level_is_the_one_it_is_served_at() -> None:
    header = {"question": "Well?", "setup": {"level": "no_empty_text"}}
    found = Recording("strict_one", header, [says("Hi.")])
    message = asks(call("f"))["body"]["choices"][0]["message"] | {"content": ""}
    reply = {"role": "tool", "tool_call_id": "call_1", "content": "{}"}
    request = {"messages": [*WELL, message, reply]}
    assert Conversation(lambda question: found).answer(request)["status"] == 400
    assert Conversation(lambda question: found, "openai").answer(request) == says("Hi.")


@pytest.mark.parametrize("end", ["done", "eof"])
def test_a_stream_comes_as_it_is_on_file(recorded: Recorded, end: str) -> None:
    recording = recorded({"sse": LINES, "end": end})
    with serving_recording(recording) as server, client_of(server) as client:
        made = client.chat.completions.with_raw_response.create
        response = made(model="any", messages=WELL, stream=True).http_response
        tail = "data: [DONE]\n\n" if end == "done" else ""
        assert response.read().decode() == "".join(f"{e}\n\n" for e in LINES) + tail
        assert response.headers["content-type"] == "text/event-stream"


def test_a_reset_in_a_stream_comes_after_what_was_sent(recorded: Recorded) -> None:
    recording = recorded({"sse": LINES, "end": "reset"})
    with serving_recording(recording) as server, client_of(server) as client:
        stream = said(client, stream=True)
        assert next(stream).choices[0].delta.content == "Hi."
        with pytest.raises((openai.APIConnectionError, httpx2.ReadError)):
            next(stream)


def test_a_reset_is_one_of_the_tcp_connection() -> None:
    request = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}"
    with (
        serving(lambda request: DROPPED) as server,
        socket.create_connection(server.server_address, timeout=20) as connection,
    ):
        connection.sendall(request)
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


def test_a_delay_is_waited_for_before_the_answer() -> None:
    slept: list[float] = []
    turn = says("Hi.") | {"delay": 2.5}
    with (
        serving(lambda request: turn, sleep=slept.append) as server,
        client_of(server) as client,
    ):
        said(client)
    assert slept == [2.5]


def test_a_delay_that_nobody_would_wait_for_is_damage(recorded: Recorded) -> None:
    assert recorded(says("Hi.") | {"delay": 2}).turns[0]["delay"] == 2
    for delay in (-1, "2", True, 10**6):
        with pytest.raises(LabError, match="delay must be a number of seconds"):
            recorded(says("Hi.") | {"delay": delay})


def test_a_first_request_begins_the_recording_again(recorded: Recorded) -> None:
    recording = recorded(says("One."), says("Two."))
    with serving_recording(recording) as server, client_of(server) as client:
        first = said(client).choices[0].message
        assert said(client).choices[0].message == first
        later = [*WELL, {"role": "assistant", "content": "One."}, *WELL]
        assert said(client, messages=later).choices[0].message.content == "Two."
        assert said(client).choices[0].message == first


def test_a_retry_goes_on_where_the_recording_was() -> None:
    with serving_recording("busy_once") as server, client_of(server) as client:
        for _ in range(2):  # the second conversation is like the first
            with pytest.raises(openai.APIStatusError):
                said(client)
            assert said(client).choices[0].message.content


def test_failures_to_the_end_begin_again_too(recorded: Recorded) -> None:
    busy = {"status": 503, "body": {"error": {"message": "Busy."}}}
    turns = Conversation(lambda question: recorded(busy, busy | {"status": 500})).answer
    statuses = [turns({"messages": WELL})["status"] for _ in range(4)]
    assert statuses == [503, 500, 503, 500]


def test_each_question_finds_its_own_recording() -> None:
    answer = Conversation(asked_recording).answer
    with serving(answer) as server, client_of(server) as client:
        for name in ("shipping_chain", "one_lookup"):
            recording = named_recording(name)
            asked = [{"role": "user", "content": recording.question}]
            assert said(client, messages=asked).id == f"chatcmpl-{name}-1"
        with pytest.raises(openai.NotFoundError, match="no recording of the quest"):
            said(client)


def streamed(server: Server, turn: Turn) -> list[Any]:
    with client_of(server) as client:
        options = {"stream": True, "stream_options": {"include_usage": True}}
        return list(said(client, **options))


def test_a_reply_is_streamed_to_whoever_asks_for_a_stream() -> None:
    turn = asks(call("f", '{"a": 1}'), call("g", id="call_2"))
    with serving(lambda request: turn) as server:
        first, end, usage = streamed(server, turn)
    calls = first.choices[0].delta.tool_calls
    assert [(c.index, c.id, c.function.name) for c in calls] == [
        (0, "call_1", "f"),
        (1, "call_2", "g"),
    ]
    assert calls[0].function.arguments == '{"a": 1}'
    assert end.choices[0].finish_reason == "tool_calls"
    assert usage.usage.total_tokens == 100


@pytest.mark.parametrize("body", [{"choices": None}, {"choices": [{}]}, {"a": 1}])
def test_an_odd_reply_is_not_made_a_stream(body: Any) -> None:
    with serving(lambda request: {"body": body}) as server:
        content = json.dumps({"stream": True, "messages": WELL})
        back = post(server, "/chat/completions", content)
    assert back.json() == body


def post(server: Server, path: str, content: Any, **headers: str) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        url = server.address + path
        return client.post(url, content=content, headers=headers)


@pytest.mark.parametrize(
    ("path", "content", "status", "words"),
    [
        ("/chat/completions", "{", 400, "not a JSON object"),
        ("/chat/completions", "[]", 400, "not a JSON object"),
        ("/chat/completions", b"\xff", 400, "not a JSON object"),
        ("/chat/completions", iter([b"{}"]), 413, "content-length"),
        ("/responses", "{}", 404, "POST /v1/responses"),
    ],
)
def test_what_is_no_request_is_told_in_the_apis_form(
    path: str, content: Any, status: int, words: str
) -> None:
    with serving(lambda request: says("Hi.")) as server:
        back = post(server, path, content)
    assert back.status_code == status
    assert words in back.json()["error"]["message"]


def test_messages_that_are_no_list_are_refused_and_not_stumbled_over() -> None:
    for messages in (5, "hi", {"role": "user"}, None, [5]):
        with serving_recording("shipping_chain") as server:
            content = json.dumps({"messages": messages})
            assert post(server, "/chat/completions", content).status_code == 400


def test_there_is_one_model() -> None:
    with serving(lambda request: says("Hi.")) as server, client_of(server) as client:
        assert [model.id for model in client.models.list()] == ["replayed"]
        with pytest.raises(openai.NotFoundError):
            client.models.retrieve("other")


def test_only_this_machine_is_served() -> None:
    with serving(lambda request: says("Hi.")) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert server.address.startswith("http://127.0.0.1:")


def test_a_taken_port_is_one_sentence() -> None:
    with serving(lambda request: says("Hi.")) as server:
        port = server.server_address[1]
        done = labkit("serve", "--port", port)
    assert done.returncode == 2
    assert done.stderr.startswith(f"labkit: Port {port} cannot be had")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [(["no_such_thing"], "no recording"), (["--level", "lax"], "no level 'lax'")],
)
def test_serve_refuses_what_there_is_not(words: list[str], told: str) -> None:
    done = labkit("serve", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_serve_says_its_address_first_and_ends_by_ctrl_c() -> None:
    command = [sys.executable, "-u", "-m", "labkit.cli", "serve", "shipping_chain"]
    with subprocess.Popen(
        [*command, "--seed", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with openai.OpenAI(api_key="any", base_url=address) as client:
            asked = said(client).choices[0].message.tool_calls[0]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert out.endswith("The server has stopped.\n")
    [found] = named_recording("shipping_chain", seed=3).turns[0]["body"]["choices"]
    assert asked.id == found["message"]["tool_calls"][0]["id"]


def test_the_finished_agent_is_answered_the_same_through_a_function() -> None:
    question = named_recording("shipping_chain").question
    conversation = Conversation(asked_recording)
    answers = {answered(conversation.answer, "support", question).answer for _ in "12"}
    assert len(answers) == 1
