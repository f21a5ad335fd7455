"""A live model: the environment's, asked by the lab, told of in sentences, keyless."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from labkit import Agent, LabError, Lesson
from labkit.checking.place import Caps
from labkit.display.face import Face
from labkit.evals.trial import try_agent
from labkit.live import LIVE, Endpoint, LiveModel, endpoint, from_environment
from labkit.live.model import ENOUGH, MOST
from labkit.live.reading import turn_of
from labkit.live.runs import record, run_live, try_live
from labkit.replay.provider import Runaway
from labkit.replay.recording import Turn
from labkit.replay.serving import Conversation
from labkit.replayed_run import asked_recording, fitting_agent
from labkit.shop import cases
from tests.agent.turns import DROPPED, OVERLOADED, asks, call, says
from tests.serving import KEY, agent_file, lead_to, serving, serving_recording
from tests.test_cli import labkit

SHIPPING = "What would it cost to ship order NW-1041 to its destination?"
RETRIES = "Where does this code decide about retries, and how many does it allow?"
REQUEST = {"model": "own", "messages": [{"role": "user", "content": "Well?"}]}
PAGE: Turn = {"body": "<html>Welcome</html>"}


def failing(status: int, message: str) -> Turn:
    return {"status": status, "body": {"error": {"message": message, "code": None}}}


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment in which no model is configured."""
    lead_to(monkeypatch)
    return monkeypatch


@pytest.fixture
def dead(patch: pytest.MonkeyPatch) -> str:
    """The address of a port that nobody listens on; the environment leads there."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    lead_to(patch, address, KEY)
    return address


@pytest.fixture
def shop_server(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """The environment leads to a server that has a recording for each question."""
    with serving(Conversation(asked_recording).answer) as server:
        lead_to(patch, server.address, KEY)
        yield


def answer_to(patch: pytest.MonkeyPatch, turn: Turn, key: str = KEY) -> Endpoint:
    """An endpoint that was asked once, and whose server said this."""
    with serving(lambda request: turn) as server:
        lead_to(patch, server.address, key)
        found = from_environment()
        found.answer(REQUEST)
        found.close()
    return found


# the environment


@pytest.mark.usefixtures("patch")
def test_without_a_key_or_a_server_here_a_sentence_says_what_to_set() -> None:
    with pytest.raises(LabError, match="No model is configured; set OPENAI_API_KEY"):
        from_environment()


@pytest.mark.parametrize(
    ("url", "key", "host"),
    [
        ("", KEY, "api.openai.com"),
        ("https://models.example/v1", KEY, "models.example"),
        ("http://localhost:11434/v1", "", "localhost"),
        ("http://127.0.0.2:8000/v1/", "", "127.0.0.2"),
        ("http://[::1]:8000/v1", "", "::1"),
    ],
)
def test_a_key_or_a_server_on_this_machine_is_enough(
    patch: pytest.MonkeyPatch, url: str, key: str, host: str
) -> None:
    lead_to(patch, url, key)
    found = from_environment()
    found.close()
    assert found.host == host
    assert ("authorization" in found.http.headers) == bool(key)


def test_a_server_elsewhere_needs_a_key(patch: pytest.MonkeyPatch) -> None:
    lead_to(patch, "https://models.example/v1")
    with pytest.raises(LabError, match="No model is configured"):
        from_environment()


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "http://",
        "ftp://models.example",
        "http://h:port/v1",
        "https://ann:secret@models.example/v1",
        "https://models.example/v1?token=secret",
    ],
)
def test_an_address_that_may_not_be_shown_is_not_taken(
    patch: pytest.MonkeyPatch, url: str
) -> None:
    lead_to(patch, url, KEY)
    with pytest.raises(LabError, match="OPENAI_BASE_URL is no plain addr") as caught:
        from_environment()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-a\nb-secret", "sk-é-secret"])
def test_a_key_that_cannot_be_sent_is_not_shown(
    patch: pytest.MonkeyPatch, key: str
) -> None:
    lead_to(patch, "", key)
    with pytest.raises(LabError, match="OPENAI_API_KEY has a character") as caught:
        from_environment()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("model", "asked"), [("", "own"), ("other-1", "other-1")])
def test_the_environment_says_which_model_is_asked_for(
    patch: pytest.MonkeyPatch, model: str, asked: str
) -> None:
    seen: list[dict[str, Any]] = []
    with serving(lambda request: seen.append(request) or says("Hi.")) as server:
        lead_to(patch, server.address, model=model)
        found = from_environment()
        found.answer(REQUEST)
        found.close()
    assert seen == [REQUEST | {"model": asked}]


# an answer as a turn

TURNS: dict[str, Turn] = {
    "text": says("H\u00e9llo \u2615"),
    "call": asks(call("f", '{"a": 1}')),
    "busy": OVERLOADED,
    "page": PAGE,
    "page_502": PAGE | {"status": 502},
    "wait": OVERLOADED | {"headers": {"retry-after": "2"}},
    "list": {"body": [{"error": {"code": 500}}]},
    "plain_json": {"body": {"a": 1}, "headers": {"content-type": "text/plain"}},
    "odd": {"body": '{"choices": 5}', "headers": {"content-type": "application/json"}},
    "stream": {"sse": ['data: {"id": "\u00e9"}', ": alive"], "end": "done"},
    "cut_stream": {"sse": ["data: 1"], "end": "eof"},
    "broken_stream": {"sse": ["data: 1"], "end": "reset"},
    "dropped": DROPPED,
}


@pytest.mark.parametrize("name", TURNS)
def test_what_a_server_said_is_the_turn_it_served(
    patch: pytest.MonkeyPatch, name: str
) -> None:
    assert answer_to(patch, TURNS[name]).last == TURNS[name]


def test_of_the_headers_only_harmless_ones_are_kept(patch: pytest.MonkeyPatch) -> None:
    kept = {"retry-after": "1", "x-request-id": "req_1"}
    gone = {"set-cookie": "a=b", "openai-organization": "acme"}
    turn = OVERLOADED | {"headers": kept | gone}
    assert answer_to(patch, turn).last["headers"] == kept


def test_a_stream_in_windows_lines_is_the_same_events() -> None:
    text = "data: 1\r\n\r\n\r\n\r\nevent: x\r\ndata: 2\r\n\r\ndata:[DONE]\r\n\r\n"
    turn = turn_of(200, {"content-type": "text/event-stream; x=y"}, text, whole=True)
    assert turn == {"sse": ["data: 1", "event: x\r\ndata: 2"], "end": "done"}


def test_half_an_event_is_lost_with_its_connection_and_kept_without() -> None:
    headers, text = {"content-type": "text/event-stream"}, "data: 1\n\ndata: {"
    assert turn_of(200, headers, text, False)["sse"] == ["data: 1"]
    assert turn_of(200, headers, text, True)["sse"] == ["data: 1", "data: {"]


@pytest.mark.usefixtures("dead")
def test_a_refused_connection_is_a_dropped_one() -> None:
    found = from_environment()
    assert found.answer(REQUEST) == DROPPED
    found.close()


@pytest.mark.parametrize(("name", "limit"), [("LARGEST", 5), ("LONGEST_SECONDS", -1)])
def test_an_answer_without_an_end_is_dropped(
    patch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    patch.setattr(endpoint, name, limit)
    assert answer_to(patch, says("A long one.")).last == DROPPED


# the key


@pytest.mark.parametrize(
    "turn",
    [
        says(f"Your key is {KEY}."),
        failing(401, f"Wrong: {KEY}"),
        PAGE | {"body": f"<p>{KEY}</p>"},
        {"sse": [f"data: {KEY}"]},
        OVERLOADED | {"headers": {"x-request-id": KEY}},
    ],
)
def test_an_answer_that_holds_the_key_is_withheld(
    patch: pytest.MonkeyPatch, turn: Turn
) -> None:
    found = answer_to(patch, turn)
    assert KEY not in str(found.last) + found.trouble()
    assert found.last["status"] >= 400
    assert (found.leaked, found.replies) == (True, 0)


def test_a_key_that_is_a_plain_word_withholds_nothing(
    patch: pytest.MonkeyPatch,
) -> None:
    turn = says("Hi.", system_fingerprint="fp_ollama")
    assert answer_to(patch, turn, "ollama").last == turn


@pytest.mark.usefixtures("shop_server")
def test_the_process_of_an_agents_file_has_no_key(tmp_path: Path) -> None:
    body = """
    def run(self, question):
        import os
        result = super().run(question)
        result.answer = repr(dict(os.environ)) + repr(self.client.api_key)
        return result
"""
    trial, _ = try_live(agent_file(tmp_path, body), cases()[:1], 1)
    [tried] = trial.tried
    assert tried.result is not None
    assert "LC_ALL" in tried.result.answer
    assert KEY not in tried.result.answer


def test_a_leaked_key_is_not_recorded(
    patch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    turns = iter([asks(call("f")), says(KEY)])
    with serving(lambda request: next(turns)) as server:
        lead_to(patch, server.address, KEY)
        with pytest.raises(LabError, match="sent the key back") as caught:
            record("talk", "Well?", folder=tmp_path)
    assert KEY not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


# what is wrong with an endpoint


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (
            failing(401, "Incorrect API key provided: sk-te****"),
            "refuses the key (401)",
        ),
        (failing(403, "No."), "is OPENAI_API_KEY right?"),
        (PAGE, "answers with a page and no completion (status 200)"),
        (PAGE | {"status": 404}, "OPENAI_BASE_URL as a rule ends in /v1"),
        (
            failing(404, "There is no model 'x'."),
            "no model 'x'; is OPENAI_MODEL right?",
        ),
        (
            failing(400, "gemma does not support tools"),
            "does not support tools; is OPE",
        ),
        (
            failing(429, "You exceeded\nyour \x1b[1mquota"),
            r"exceeded your \x1b[1mquota",
        ),
        ({"status": 500, "body": {}}, "answers with status 500: {}"),
        (
            {"body": {"error": "out of memory"}},
            "answers with status 200: out of memory",
        ),
        (DROPPED, "does not answer"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    patch: pytest.MonkeyPatch, turn: Turn, words: str
) -> None:
    with pytest.raises(LabError) as caught:
        answer_to(patch, turn).require_reply()
    told = str(caught.value)
    assert words in told
    assert "\n" not in told
    assert "sk-te" not in told


def test_a_reply_that_came_before_the_trouble_is_not_called_trouble(
    patch: pytest.MonkeyPatch,
) -> None:
    turns = iter([says("Hi."), OVERLOADED])
    with serving(lambda request: next(turns)) as server:
        lead_to(patch, server.address)
        found = from_environment()
        last = [found.answer(REQUEST) for _ in "12"][1]
        found.close()
    assert last == OVERLOADED
    found.require_reply()


@pytest.mark.parametrize("command", ["run", "record", "eval"])
def test_a_dead_endpoint_is_one_sentence_and_status_2(
    dead: str, tmp_path: Path, command: str
) -> None:
    words = {
        "run": ["run", "Well?", "--live"],
        "record": ["record", "talk", "Well?", "--out", tmp_path],
        "eval": ["eval", agent_file(tmp_path), "--live"],
    }
    done = labkit(*words[command])
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{dead} does not answer" in done.stderr
    assert done.stderr.count("labkit: ") == 1
    assert KEY not in done.stderr
    assert not (tmp_path / "talk.jsonl").exists()


@pytest.mark.usefixtures("patch")
def test_live_without_a_model_is_one_sentence_and_status_2() -> None:
    done = labkit("run", "Well?", "--live")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No model is configured" in done.stderr
    assert done.stderr.count("\n") == 1


# runs


@pytest.mark.usefixtures("shop_server")
@pytest.mark.parametrize(("question", "tool"), [(SHIPPING, "calc"), (RETRIES, "read_")])
def test_run_live_is_the_run_with_the_model_named(question: str, tool: str) -> None:
    done = labkit("run", question, "--live")
    assert (done.returncode, done.stderr) == (0, "")
    assert tool in done.stdout
    assert "live        gpt-4.1-mini at 127.0.0.1, answered by replayed" in done.stdout


def test_run_takes_a_model_or_a_recording() -> None:
    done = labkit("run", SHIPPING, "--live", "--recording", "shipping_chain")
    assert done.returncode == 2
    assert "give one of them" in done.stderr


def test_a_model_that_asks_for_no_tool_is_noted(patch: pytest.MonkeyPatch) -> None:
    with serving(lambda request: says("I do not\x1b[1m know.")) as server:
        lead_to(patch, server.address)
        lines = list(run_live("Well?").lines())
    assert lines[0] == r"I do not\x1b[1m know."
    assert lines[-1].startswith("note: the model asked for no tool")


def test_the_agent_that_fits_is_found_by_the_question() -> None:
    assert fitting_agent(None, RETRIES) == "workspace"
    assert fitting_agent(None, "How tall is the moon?") == "support"
    assert fitting_agent("workspace", SHIPPING) == "workspace"
    with pytest.raises(LabError, match="no agent 'other'"):
        fitting_agent("other", SHIPPING)


@pytest.mark.usefixtures("shop_server")
def test_eval_live_asks_the_model_each_case(tmp_path: Path) -> None:
    asked = [case | {"recording": "one_lookup"} for case in cases()[:2]]
    trial, named = try_live(agent_file(tmp_path), asked, 1)
    assert trial.report.failures == {}
    assert [tried.result and tried.result.steps for tried in trial.tried] == [4, 2]
    assert named == {"model": "gpt-4.1-mini", "server": "127.0.0.1"}


def test_eval_live_from_the_command_line_names_the_model(
    patch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serving_recording("shipping_chain") as server:
        lead_to(patch, server.address, model="other-1")
        file = agent_file(tmp_path)
        done = labkit("eval", file, "--live", "--threshold", 0.1)
        data = labkit("eval", file, "--live", "--json").stdout
    assert done.returncode == 0
    assert "1 of 6 cases passed" in done.stdout
    assert done.stdout.endswith("live: other-1 at 127.0.0.1\n")
    assert '"live": {"model": "other-1", "server": "127.0.0.1"}' in data


def test_errors_of_an_endpoint_reach_the_agent_with_their_status(
    patch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    turns = iter([DROPPED, OVERLOADED, says("48.16"), failing(404, "Gone.")])
    case = cases()[0]
    with serving(lambda request: next(turns)) as server:
        lead_to(patch, server.address)
        trial, _ = try_live(
            agent_file(tmp_path), [case, case | {"id": "2", "question": "?"}], 1
        )
    first, second = (tried.result for tried in trial.tried)
    assert first is not None
    assert second is not None
    assert (first.stopped_by, first.answer) == ("answered", "48.16")
    assert (second.stopped_by, "404" in second.error) == ("provider_error", True)


def test_a_live_model_has_more_time_than_a_replay(
    patch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    patch.setattr("labkit.evals.trial.LIVE", Caps(seconds=0))
    file = agent_file(tmp_path)
    trial = try_agent(file, cases()[:1], 1, ask=lambda request: says("Hi."))
    assert "did not end in time" in str(trial.report.failures)
    assert LIVE.seconds >= 8 * endpoint.SECONDS


def test_a_loop_that_forgets_its_budget_is_not_paid_for() -> None:
    model = LiveModel("Well?", lambda request: says("Go on."))
    replies = [model.answer(REQUEST) for _ in range(MOST + 1)]
    assert replies[:-1] == [says("Go on.")] * MOST
    assert replies[-1]["body"]["error"]["message"] == ENOUGH
    with pytest.raises(Runaway):
        [model.answer(REQUEST) for _ in range(9)]


# in a notebook


@pytest.fixture
def lab() -> Any:
    return Lesson("lesson_03_loop")


class Starter(Agent):
    def step(self, result: Any) -> Any:
        """What a learner begins with."""


@pytest.mark.usefixtures("shop_server")
def test_a_live_run_is_drawn_like_a_watched_one(lab: Any) -> None:
    live, watched = lab.live(Agent, SHIPPING), lab.watch(Agent, "shipping_chain")
    assert isinstance(live, Face)
    head, _, rest = repr(live).partition("\n")
    assert head == "note: gpt-4.1-mini at 127.0.0.1 was asked"
    assert rest == repr(watched)
    assert "step is not written yet" in repr(lab.live(Starter, SHIPPING))


@pytest.mark.usefixtures("shop_server")
def test_a_question_about_code_gets_the_workspace_agent(lab: Any) -> None:
    assert "asks list_dir(" in repr(lab.live(Agent, RETRIES))


@pytest.mark.usefixtures("dead")
def test_a_dead_endpoint_is_drawn_with_what_is_wrong(lab: Any) -> None:
    text = repr(lab.live(Agent, SHIPPING))
    assert "does not answer" in text
    assert "provider_error" in text


@pytest.mark.usefixtures("patch")
def test_without_a_model_a_notebook_says_so_and_goes_on(lab: Any) -> None:
    face = lab.live(Agent, SHIPPING)
    assert repr(face).startswith("No model is configured; set OPENAI_API_KEY")
    assert set(face._repr_mimebundle_()) == {"text/plain", "text/html"}


@pytest.mark.usefixtures("shop_server")
def test_a_compared_notebook_asks_nobody(lab: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("LABKIT_DISPLAY", "text")
    patch.setattr(httpx2, "Client", None)
    assert repr(lab.live(Agent, SHIPPING)).startswith("No model is configured")


def test_live_says_what_it_takes(lab: Any) -> None:
    with pytest.raises(LabError, match="live takes what you wrote and then a question"):
        lab.live(Agent)
