"""The stream to a confined process: what comes over it is measured."""

import re

from labkit.checking.channel import Channel, Malformed

LARGEST = 4 << 20
DEEPEST = 64
MOST = 16 << 20  # bytes in a whole life; each may take twenty of memory once it is read
TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class TooMuch(Malformed):
    """A process said more, all in all, than anybody keeps."""


class Measured(Channel):
    """A channel that takes no frame that is large or deep, nor too many."""

    largest = LARGEST
    taken = 0

    def measure(self, data: bytes) -> None:
        """Count a frame; Malformed if it is too deep, TooMuch if it is one too many."""
        self.taken += len(data)
        if self.taken > MOST:
            raise TooMuch
        if _may_be_deep(data) and _depth(data) > DEEPEST:
            raise Malformed("a frame that is too deep")


def _may_be_deep(data: bytes) -> bool:
    """A quick look, which takes brackets in texts for lists and objects, too."""
    brackets = data.translate(None, ALL_BUT_BRACKETS)
    for _ in range(DEEPEST // 2):  # each round may take away two levels
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


def _depth(data: bytes) -> int:
    """How deep the lists and objects of a JSON text lie in each other."""
    depth = deepest = 0
    for byte in TEXT.sub(b"", data).translate(None, ALL_BUT_BRACKETS):
        depth += 1 if byte in b"[{" else -1
        deepest = max(depth, deepest)
    return deepest
