"""Texts of strangers, made fit to be looked at: short, no control characters."""

import json
from typing import Any

from labkit.display.report import one_line


def clipped(text: str, longest: int) -> str:
    """The text, or its beginning and end; a marker may stand at the end."""
    if len(text) <= longest:
        return text
    tail = longest // 3
    return f"{text[: longest - tail]} … {text[len(text) - tail :]}"


def short_line(text: str, longest: int) -> str:
    """The text on one line of at most about this length; see `one_line`."""
    # White space becomes less on one line, so what is looked at first may be longer.
    return clipped(one_line(clipped(text, 4 * longest)), longest)


def legible(text: str) -> str:
    """The text with its line breaks, and with no character that a screen would obey."""
    if text.replace("\n", "").isprintable():  # as nearly all are
        return text
    return "".join(
        c
        if c.isprintable() or c == "\n"
        else " "
        if c.isspace()
        else f"\\x{ord(c):02x}"
        for c in text
    )


def raw_json(value: Any, longest: int) -> str:
    """A value as JSON, clipped; what was left out is told."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    if len(text) <= longest:
        return legible(text)
    told = f"\n({len(text):,} characters; the middle is left out here)"
    return legible(clipped(text, longest)) + told


def fitting(sections: list[str], most: int, thing: str) -> list[str]:
    """The sections, or the first and last of them that fit; what is missing is told.

    `most` is in bytes; a sentence with `thing` stands where sections are left out.
    """
    sizes = [len(section.encode(errors="replace")) for section in sections]
    if sum(sizes) <= most:
        return sections
    first, last, room = 0, len(sections), most
    while first < last:
        take = first if first <= len(sections) - last else last - 1
        room -= sizes[take]
        if room < 0:
            break
        first, last = (first + 1, last) if take == first else (first, last - 1)
    told = f"({thing}s {first + 1} to {last} are left out here: there is too much)"
    return [*sections[:first], told, *sections[last:]]
