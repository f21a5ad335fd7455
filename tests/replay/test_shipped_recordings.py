"""Every recording that ships is whole, honest about its origin, and holds no secret."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from labkit.lab import lab_folder, recording_file
from labkit.replay.recording import Recording, read_recording
from labkit.shop import facts_for

SEEDS = range(10)
FILES = sorted((lab_folder() / "recordings").rglob("*.jsonl"))
RECORDED = {"model", "server", "recorded_at", "sampling"}
SECRETS = {
    "a key": r"\b(?:sk|pk|rk|gsk|xai|hf|ghp)[-_][A-Za-z0-9_-]{8,}|\bAIza[\w-]{20,}",
    "a bearer token": r"(?i)\bbearer\s+[\w.~+/-]{4,}",
    "an e-mail address": r"[\w.+-]+@[\w-]+\.[\w.-]+",
    "a URL with a password": r"://[^/\s\"\\@]+@",
    "a URL with a token": r"://[^\s\"\\]*[?&#][\w-]*"
    r"(?i:token|key|secret|sig|password|auth|code)[\w-]*=",
}
LOOKS_SECRET = {
    "a key": ["sk-abc123XYZ789", "sk-proj-AbC_dEf-123", "ghp_16C7e42F292c6912"],
    "a bearer token": ["Bearer abcd.efgh", "authorization: bearer abc123"],
    "an e-mail address": ["jo.do+x@example.co.uk"],
    "a URL with a password": ["https://user:pass@example.org/"],
    "a URL with a token": [
        "https://example.org/x?a=1&access_token=abc",
        "wss://x/#key=1",
    ],
}
HARMLESS = [
    "adjustable desk-lamp-with-shade and task-list-of-many-words",
    "call_7Qm2xRkD chatcmpl-abc123 NW-1041",
    "The bearer of this letter; ring bearer",
    "1 @ 2.50 each",
    "https://example.org/docs?page=2#keys",
]
each = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def read(path: Path, seed: int = 0) -> Recording:
    return read_recording(path, facts_for(seed), seed)


def secrets_in(text: str) -> list[str]:
    return [name for name, pattern in SECRETS.items() if re.search(pattern, text)]


def dishonest(header: dict[str, Any]) -> str | None:
    """What a header claims without proof, or lacks for what it claims."""
    filled = {key for key in RECORDED if header.get(key)}
    if header["origin"] == "invented":
        told = filled - {"sampling"}
        return f"invented, yet it names {sorted(told)}" if told else None
    if filled != RECORDED:
        return f"{header['origin']} without {sorted(RECORDED - filled)}"
    if header["origin"] == "edited" and not header.get("source"):
        return "edited, and no source states the change"
    return None


def test_there_are_recordings() -> None:
    assert FILES


@each
@pytest.mark.parametrize("seed", SEEDS)
def test_it_can_be_read_for_every_seed(path: Path, seed: int) -> None:
    recording = read(path, seed)
    assert "{{" not in recording.question + recording.header["title"]


def test_stems_are_unique() -> None:
    counted = Counter(path.stem for path in FILES)
    assert [stem for stem, count in counted.items() if count > 1] == []


@each
def test_it_is_found_by_its_name(path: Path) -> None:
    assert recording_file(path.stem) == path


@each
def test_it_is_as_long_for_every_seed(path: Path) -> None:
    lengths = {len(read(path, seed).turns) for seed in SEEDS}
    assert lengths == {path.read_bytes().count(b"\n") - 1}


@each
def test_its_origin_is_honest(path: Path) -> None:
    assert dishonest(read(path).header) is None


@each
def test_it_holds_no_secret(path: Path) -> None:
    assert secrets_in(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("origin", "lacking", "added", "honest"),
    [
        ("live", set(), {}, True),
        *[("live", {key}, {}, False) for key in sorted(RECORDED)],
        ("edited", set(), {"source": "live; the price was taken out"}, True),
        ("edited", set(), {}, False),
        ("edited", {"model"}, {"source": "live; shortened"}, False),
        ("invented", RECORDED, {}, True),
        ("invented", RECORDED, {"source": "a public report"}, True),
        *[("invented", RECORDED, {key: "x"}, False) for key in ("model", "server")],
        ("invented", RECORDED, {"recorded_at": "2026-01-01"}, False),
    ],
)
def test_a_dishonest_origin_would_be_seen(
    origin: str, lacking: set[str], added: dict[str, str], honest: bool
) -> None:
    header = {key: "x" for key in RECORDED - lacking} | added | {"origin": origin}
    assert (dishonest(header) is None) is honest


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in LOOKS_SECRET.items() for text in texts]
)
def test_a_secret_would_be_seen(name: str, text: str) -> None:
    assert name in secrets_in(json.dumps({"content": f"So: {text}"}))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_harmless_is_not_taken_for_a_secret(text: str) -> None:
    assert secrets_in(json.dumps({"content": text})) == []
