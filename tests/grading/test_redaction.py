"""Redaction: what looks like a key is taken out, what does not stays."""

import time

import pytest

from labkit.grading.redaction import PUT_INSTEAD, holds_key, redacted

TAIL = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8"
KEYS = [
    f"sk-{TAIL}{TAIL}",
    f"sk-proj-{TAIL}_{TAIL}",
    f"sk-ant-api03-{TAIL}",
    f"sk-or-v1-{'0123456789abcdef' * 4}",
    f"gsk_{TAIL}",
    f"xai-{TAIL}",
    f"hf_{TAIL}",
    f"ghp_{TAIL}",
    f"github_pat_{TAIL}",
    f"AIza{TAIL}",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    f"xoxb-12345678901-{TAIL}",
    f"glpat-{TAIL}",
    f"r8_{TAIL}",
    f"Bearer {TAIL}.{TAIL}",
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
        "api_key='",
        "a",
        "-----BEGIN ",
        "ghp_a",
    ],
)
def test_redaction_takes_time_by_length_only(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.process_time()
    redacted(text)
    assert time.process_time() - started < 2
