"""Code as a row of tokens: what stays when names, remarks and layout are changed."""

import keyword
import re
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from tokenize import TokenInfo

LAYOUT = {"ENCODING", "COMMENT", "NL", "INDENT", "DEDENT"}
MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it stands, what kind it is, and on which line.

    Names are one kind, and so are texts and numbers; anything else is its own.
    """

    text: str
    kind: str
    line: int


def code_tokens(source: str) -> list[Token]:
    """The tokens of Python code without comments and docstrings. Nothing is run.

    Of what is no Python, those up to where that shows.
    """
    source = source.encode(errors="replace").decode()  # no half characters
    found: list[Token] = []
    statement: list[Token] = []
    with warnings.catch_warnings(action="ignore"), suppress(*_BROKEN):
        for name, token in _whole_texts(MAGIC.sub("", source)):
            if name not in ("NEWLINE", "ENDMARKER"):
                statement.append(token)
                continue
            if any(token.kind != "s" for token in statement):
                found += statement
            statement = []
    return found + statement


_BROKEN = (tokenize.TokenError, SyntaxError)


def _whole_texts(source: str) -> Iterator[tuple[str, Token]]:
    """Each token with its name; an f-string, cut up since Python 3.12, is one text."""
    depth = 0
    for token in tokenize.generate_tokens(StringIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name in LAYOUT:
            continue
        depth += name.endswith("STRING_START")
        if depth == 0:
            yield name, Token(token.string, _kind(name, token), token.start[0])
        elif name.endswith("STRING_END"):
            depth -= 1
            if depth == 0:
                yield name, Token(token.string, "s", token.start[0])


def _kind(name: str, token: TokenInfo) -> str:
    if name == "NAME":
        return token.string if keyword.iskeyword(token.string) else "n"
    return {"STRING": "s", "NUMBER": "0"}.get(name, token.string)
