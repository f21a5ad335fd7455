"""What is recorded replays as what was said, and holds no key."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.errors import LabError
from labkit.lab import recording_file
from labkit.live import from_environment
from labkit.live.runs import record
from labkit.replay import read_recording
from labkit.replay.recorder import Recorder, free_path, write_recording
from labkit.replay.transport import client_for
from labkit.replayed_run import named_recording, run_replayed
from labkit.shop import facts_for
from tests.agent.turns import OVERLOADED, Turn, asks, call, says, steady
from tests.replay.conftest import HEADER, Recorded
from tests.replay.test_server import said
from tests.replay.test_shipped_recordings import dishonest, secrets_in
from tests.serving import KEY, agent_file, lead_to, serving, serving_recording
from tests.test_cli import labkit

SHIPPING = "What would it cost to ship order NW-1041 to its destination?"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just("{{ship.cost}}"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("{{"), inner),
    max_leaves=8,
)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The environment leads to the shipping recording, served."""
    with serving_recording("shipping_chain") as server:
        lead_to(monkeypatch, server.address, KEY)
        yield


@pytest.mark.usefixtures("served")
def test_a_recording_of_a_served_one_replays_identically(tmp_path: Path) -> None:
    told, path = record("again", SHIPPING, folder=tmp_path)
    original, again = named_recording("shipping_chain"), named_recording(str(path))
    assert again.turns == original.turns
    replayed, first = (run_replayed(SHIPPING, recording=n) for n in (str(path), None))
    assert replayed.result == first.result
    assert told.result == first.result


@pytest.mark.parametrize("name", ["busy_twice", "dropped_once", "gateway_says_no"])
def test_what_went_wrong_on_the_way_is_recorded_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    question = named_recording(name).question
    with serving_recording(name) as server:
        lead_to(monkeypatch, server.address)
        told, path = record("again", question, folder=tmp_path)
    replayed = run_replayed(question, recording=str(path))
    assert replayed.result == told.result
    assert len(named_recording(str(path)).turns) > 1


@pytest.mark.usefixtures("served")
def test_the_header_says_who_when_and_how_and_holds_no_secret(tmp_path: Path) -> None:
    _, path = record("again", SHIPPING, folder=tmp_path)
    header = named_recording(str(path)).header
    assert dishonest(header) is None
    assert header["origin"] == "live"
    assert (header["model"], header["model_answered"]) == ("gpt-4.1-mini", "replayed")
    assert header["server"] == "127.0.0.1"
    assert header["recorded_at"].endswith("+00:00")
    assert header["question"] == SHIPPING
    assert secrets_in(path.read_text("utf-8")) == []
    assert KEY not in path.read_text("utf-8")


def test_how_the_model_was_asked_to_pick_its_words_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = """
    def complete(self, messages):
        return self.client.chat.completions.create(
            model="mine", messages=messages, temperature=0.5, user="ann"
        )
"""
    with serving(lambda request: says("Hi.")) as server:
        lead_to(monkeypatch, server.address)
        file = agent_file(tmp_path, body)
        _, path = record("again", "Well?", file=file, folder=tmp_path)
    header = named_recording(str(path)).header
    assert header["sampling"] == {"temperature": 0.5}
    assert header["model"] == "mine"


@pytest.mark.usefixtures("served")
def test_an_agents_own_file_is_recorded_as_the_finished_one_is(tmp_path: Path) -> None:
    file = agent_file(tmp_path)
    told, path = record("again", SHIPPING, file=file, folder=tmp_path / "new")
    assert told.result.stopped_by == "answered"
    assert named_recording(str(path)).turns == named_recording("shipping_chain").turns


@pytest.mark.usefixtures("served")
def test_an_agent_that_fails_on_it_leaves_the_recording_to_look_at(
    tmp_path: Path,
) -> None:
    file = agent_file(tmp_path, "    def execute_call(self, call):\n        1 / 0")
    with pytest.raises(LabError, match=r"again\.jsonl is written, but .*ZeroDivision"):
        record("again", SHIPPING, file=file, folder=tmp_path)
    assert len(named_recording(str(tmp_path / "again.jsonl")).turns) == 1


@pytest.mark.usefixtures("served")
def test_an_agent_that_asks_nothing_leaves_nothing(tmp_path: Path) -> None:
    file = agent_file(tmp_path, "    def run(self, question):\n        1 / 0")
    with pytest.raises(LabError, match="ZeroDivisionError"):
        record("again", SHIPPING, file=file, folder=tmp_path)
    assert not (tmp_path / "again.jsonl").exists()


SSE = [': hello\ndata: {"choices": [{"delta": {"content": "café"}}]}', "data: {}"]


@pytest.mark.parametrize("end", ["done", "eof", "reset"])
def test_a_stream_is_recorded_event_by_event_as_it_came(
    monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    turn = {"sse": SSE, "end": end}
    with serving(lambda request: turn) as server:
        lead_to(monkeypatch, server.address)
        endpoint = from_environment()
        recorder = Recorder(endpoint.answer)
        with client_for(recorder.answer) as client:
            try:
                pieces = [c.model_dump() for c in said(client, stream=True)]
            except (openai.APIConnectionError, httpx2.ReadError):
                pieces = []
        endpoint.close()
    assert recorder.turns == [turn]
    assert len(pieces) == (0 if end == "reset" else 2)


def test_requests_are_kept_beside_their_turns() -> None:
    turns = iter([OVERLOADED, says("Hi.")])
    recorder = Recorder(lambda request: next(turns))
    assert [recorder.answer({"n": n}) for n in (1, 2)] == recorder.turns
    assert recorder.requests == [{"n": 1}, {"n": 2}]


@steady
@given(body=st.dictionaries(st.text(), JSON), content=JSON, question=st.text())
def test_whatever_was_said_is_read_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, body: Any, content: Any, question: str
) -> None:
    turns = [{"body": body | {"content": content}}, {"status": 500, "body": question}]
    path = tmp_path_factory.mktemp("drawn") / "drawn.jsonl"
    write_recording(path, HEADER | {"question": question}, turns)
    back = read_recording(path, facts_for(0))
    assert (back.turns, back.question) == (turns, question)


@pytest.mark.parametrize(
    "text",
    [
        f"So: {KEY}",
        "Use sk-proj-AbCdEf123.",
        "Authorization: Bearer " + "a" * 20,
        "\nsk-proj-AbCdEf123",
    ],
)
def test_nothing_like_a_key_is_written(tmp_path: Path, text: str) -> None:
    path = tmp_path / "new" / "talk.jsonl"
    with pytest.raises(LabError, match="something like an API key") as caught:
        write_recording(path, HEADER, [says(text)])
    assert text not in str(caught.value)
    assert not path.parent.exists()


def test_the_key_itself_is_not_written_whatever_it_looks_like(tmp_path: Path) -> None:
    path, key = tmp_path / "talk.jsonl", "plain-words-for-a-key"
    with pytest.raises(LabError):
        write_recording(path, HEADER, [asks(call("f", {"a": key}))], key)
    assert not path.exists()


def test_a_placeholder_for_a_key_may_be_a_word(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    turns: list[Turn] = [says("Ask ollama.", system_fingerprint="fp_ollama")]
    write_recording(path, HEADER, turns, "ollama")
    assert read_recording(path).turns == turns


@pytest.mark.parametrize("name", ["", "a b", "../up", "a/b", ".hidden", "a.jsonl", "é"])
def test_a_name_is_a_plain_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(LabError, match="no name for a recording"):
        free_path(name, tmp_path)


def test_a_name_of_the_labs_is_taken(tmp_path: Path) -> None:
    name = recording_file("shipping_chain").stem
    with pytest.raises(LabError, match="The lab has a recording 'shipping_chain'"):
        free_path(name, tmp_path)


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("kept")
    with pytest.raises(LabError, match="is there already"):
        free_path("mine", tmp_path)
    with pytest.raises(FileExistsError):
        write_recording(path, HEADER, [says("Hi.")])
    assert path.read_text() == "kept"


def test_a_live_recording_has_other_call_ids_for_another_seed(
    recorded: Recorded, tmp_path: Path
) -> None:
    path = tmp_path / "mine.jsonl"
    write_recording(path, HEADER, [asks(call("f", id="call_abcd1234"))])
    kept, drawn = (named_recording(str(path), seed) for seed in (0, 1))
    assert "call_abcd1234" in json.dumps(kept.turns)
    assert "call_abcd1234" not in json.dumps(drawn.turns)


@pytest.mark.usefixtures("served")
def test_record_and_run_from_the_command_line(tmp_path: Path) -> None:
    done = labkit("record", "mine", SHIPPING, "--out", tmp_path)
    path = tmp_path / "mine.jsonl"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"written to  {path}\n")
    again = labkit("run", SHIPPING, "--recording", path)
    assert "replayed    mine, live" in again.stdout
    assert again.stdout.partition("\n")[0] == done.stdout.partition("\n")[0]
    twice = labkit("record", "mine", SHIPPING, "--out", tmp_path)
    assert (twice.returncode, twice.stdout) == (2, "")
    assert twice.stderr.count("\n") == 1
