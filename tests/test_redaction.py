"""Redaction: what looks like a key is taken out, what does not stays."""

import json
import time
from typing import Any

import pytest

from labkit.redaction import (
    PREFIXES,
    PUT_INSTEAD,
    holds_key,
    json_without_keys,
    redacted,
    without_keys,
)

TAIL = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8"
KEY = f"sk-proj-{TAIL}{TAIL}"
KEYS = [
    f"sk-{TAIL}{TAIL}",
    f"sk-proj-{TAIL}_{TAIL}",
    f"sk-ant-api03-{TAIL}",
    f"sk-or-v1-{'0123456789abcdef' * 4}",
    f"xai-{TAIL}",
    f"AIza{TAIL}",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    f"xoxb-12345678901-{TAIL}",
    f"glpat-{TAIL}",
    *(f"{prefix}{TAIL}" for prefix in PREFIXES),
    f"Bearer {TAIL}.{TAIL}",
    f"bearer {TAIL}.{TAIL}",
    f"eyJ{TAIL}.eyJ{TAIL}.{TAIL}",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_taken_out_wherever_it_stands(key: str) -> None:
    for text in (key, f"x = '{key}'\n", f'{{"a": "{key}"}}', f"https://x/?k={key}&b"):
        assert holds_key(text)
        assert TAIL not in redacted(text)
        assert PUT_INSTEAD in redacted(text)
        assert not holds_key(redacted(text))


@pytest.mark.parametrize(
    "text",
    [
        "api_key='0123456789abcdef0123456789abcdef'",
        'AZURE_OPENAI_API_KEY = "0123456789abcdef0123456789abcdef"',
        '{"api-key": "0123456789abcdef0123456789abcdef"}',
        'access_token="0123456789abcdef0123456789abcdef"',
    ],
)
def test_a_value_that_is_named_a_key_is_taken_out(text: str) -> None:
    assert holds_key(text)
    assert "0123456789" not in redacted(text)
    assert redacted(text).startswith(text[:7])


@pytest.mark.parametrize(
    "text",
    [
        "api_key='none'",
        "api_key=os.environ['OPENAI_API_KEY']",
        "OpenAI(api_key='not-needed-here')",
        "tool_call_id call_7Qm2xRkD",
        "from huggingface_hub import hf_hub_download_with_progress",
        "task-1 risk-taking-in-general",
        "sk-learn",
        "the bearer of bad news",
        "chatcmpl-9f8e7d6c5b4a39281706f5e4d3c2b1a0",
        "max_tokens=20000",
        "a" * 5000,
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert not holds_key(text)
    assert redacted(text) == text


def test_only_the_key_is_taken_out_of_a_text() -> None:
    assert redacted(f"before {KEYS[0]}, after") == f"before {PUT_INSTEAD}, after"


@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "hf_",
        "sk-sk-",
        "Bearer ",
        "eyJ",
        "-eyJ",
        "-sk-",
        "api_key='",
        "a",
        "-----BEGIN ",
        "ghp_a",
    ],
)
def test_redaction_takes_time_by_length_only(piece: str) -> None:
    # Four times the text; were each place searched to the end, sixteen times the time.
    assert seconds_for(piece * (100_000 // len(piece))) < 10 * seconds_for(
        piece * (25_000 // len(piece))
    )


def seconds_for(text: str) -> float:
    """The processor time of a search, the shortest of three."""
    taken = []
    for _ in range(3):
        started = time.process_time()
        redacted(text)
        holds_key(text)
        taken.append(time.process_time() - started)
    return min(taken)


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        f"line\n{KEY}",
        f"\t{KEY}\r\n",
        f"\x00{KEY}",
        f"\u00e9 {KEY}",
        f"\\{KEY}",
        f'api_key = "{KEY}"',
        f'api_key: "{"x7" * 16}"',
    ],
)
def test_a_key_is_found_whatever_stands_before_it(text: str) -> None:
    value = {"events": [{"text": text}, 1, None, True]}
    written = json_without_keys(value)
    assert without_keys(value) == json.loads(written)
    assert KEY not in written
    assert "x7x7" not in written
    assert PUT_INSTEAD in json.loads(written)["events"][0]["text"]


def test_a_key_in_the_name_of_a_field_is_found() -> None:
    assert KEY not in json_without_keys({"args": {KEY: 1}})


@pytest.mark.parametrize("value", [{}, {"a": ['b\n"c"', 1.5, float("inf")]}, "\ud800"])
def test_what_holds_no_key_stays_as_it_is(value: Any) -> None:
    assert json.loads(json_without_keys(value)) == value
