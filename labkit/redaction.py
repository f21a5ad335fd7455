"""Texts, and whole JSON values, without what looks like an API key."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

PREFIXES = (
    *("sk-", "sk_", "pk-", "pk_", "rk_", "gsk_", "xai-", "hf_", "r8_", "pplx-"),
    *("nvapi-", "fw_", "tgp_", "gho_", "ghp_", "ghs_", "ghu_", "github_pat_"),
)
NAMES = ("api_key", "api-key", "apikey", "_secret", "-secret", "_token", "-token")
# Bounded look-aheads: a hostile text costs as much time as it is long. A key after its
# prefix needs a digit or a capital, or `hf_hub_download` would be one.
_NO_WORD = r"(?=[\w-]{0,63}[\dA-Z])"
KEY = re.compile(
    rf"\bsk-{_NO_WORD}[\w-]{{12,}}"  # OpenAI, Anthropic, OpenRouter
    rf"|\b(?:{'|'.join(PREFIXES)}){_NO_WORD}[\w-]{{16,}}"
    r"|\b(?:AIza|ya29\.)[\w-]{20,}"  # Google
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"  # AWS
    r"|\bxox[abprs]-[\w-]{10,}"  # Slack
    r"|\bglpat-[\w-]{16,}"
    r"|\beyJ[\w-]{10,400}\.eyJ[\w-]{10,}(?:\.[\w-]*)?"  # a JSON web token
    r"|\b[Bb]earer[ \t]{1,8}[\w.~+/-]{16,}=*"
    r"|-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----"
)
# What each of these begins with; to look there only is a hundred times as fast.
STARTS = (
    *PREFIXES,
    *("AIza", "ya29.", "AKIA", "ASIA", "xox", "glpat-", "eyJ", "Bearer", "bearer"),
    "-----BEGIN ",
)
# Azure and others: no prefix, so what counts is the name before the value.
NAMED = re.compile(
    rf"""((?:{"|".join(NAMES)})["']?[ \t]{{0,8}}[=:][ \t]{{0,8}}["'])"""
    r"""(?=[^"'\s]{0,63}\d)([\w.~+/-]{24,}={0,2})(?=["'])""",
    re.IGNORECASE,
)
ESCAPED = re.compile(r"\\(?:u[0-9a-f]{4}|.)")  # in JSON; a key may begin after one
PUT_INSTEAD = "[API key removed]"
NOTE = (
    "it holds what looks like an API key, which is removed here; "
    "whoever owns that key should make it invalid."
)


def redacted(text: str) -> str:
    """The text with each API key replaced by a remark; linear in its length."""
    return NAMED.sub(rf"\g<1>{PUT_INSTEAD}", KEY.sub(PUT_INSTEAD, text))


def holds_key(text: str) -> bool:
    """Whether something in the text looks like an API key."""
    if any(KEY.match(text, at) for start in STARTS for at in _places(text, start)):
        return True
    lower = text.lower().replace("_tokens", "")  # each usage has one
    return any(NAMED.match(lower, at) for name in NAMES for at in _places(lower, name))


def _places(text: str, piece: str) -> Iterator[int]:
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)


def json_without_keys(value: Any) -> str:
    """A value as JSON, what looks like an API key taken out of whatever text it is in.

    Looked for in all of it at once, which is ten times as fast as in each text.
    """
    text = json.dumps(value)
    return json.dumps(each_text(value, redacted)) if json_holds_key(text) else text


def without_keys(value: Any) -> Any:
    """A JSON value with what looks like an API key taken out."""
    return each_text(value, redacted) if json_holds_key(json.dumps(value)) else value


def json_holds_key(text: str) -> bool:
    """Whether some text in a JSON text looks like an API key."""
    return holds_key(ESCAPED.sub(" ", text.replace('\\"', '"')))


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value in which each text, keys included, is what `change` makes of it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {change(k): each_text(item, change) for k, item in value.items()}
    return value
