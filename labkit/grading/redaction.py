"""Texts without what looks like an API key."""

import re

# Bounded look-aheads: a hostile text costs as much time as it is long. A key after an
# underscore needs a digit or a capital, or `hf_hub_download` would be one.
_TOKEN = r"(?=[\w-]{0,63}[\dA-Z])[\w-]{16,}"
KEY = re.compile(
    r"\bsk-[\w-]{16,}"  # OpenAI, Anthropic, OpenRouter
    rf"|\b(?:sk|pk|rk|gsk|xai|hf|r8|pplx|nvapi|fw|tgp|gh[opsu]|github_pat)[-_]{_TOKEN}"
    r"|\b(?:AIza|ya29\.)[\w-]{20,}"  # Google
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"  # AWS
    r"|\bxox[abprs]-[\w-]{10,}"  # Slack
    r"|\bglpat-[\w-]{16,}"
    r"|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}(?:\.[\w-]*)?"  # a JSON web token
    r"|\b[Bb]earer[ \t]{1,8}[\w.~+/-]{16,}=*"
    r"|-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----"
)
# Azure and others: no prefix, so what counts is the name before the value.
NAMED = re.compile(
    r"""((?:api[_-]?key|[_-]secret|[_-]token)["']?[ \t]{0,8}[=:][ \t]{0,8}["'])"""
    r"""(?=[^"'\s]{0,63}\d)([\w.~+/-]{24,}={0,2})(?=["'])""",
    re.IGNORECASE,
)
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
    return bool(KEY.search(text) or NAMED.search(text))
