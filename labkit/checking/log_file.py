"""The audit log and the trace of one scenario: real files, told line by line."""

import os
from typing import Any

from labkit.checking.fixtures import Ask, asked

LONGEST_LOG = 1 << 20


class LogFile:
    """One of the two; what is new in it is told to the lab.

    It is looked at before each question, so paths are plain text and no file stays
    open: a learner may put another one in its place.
    """

    def __init__(self, kind: str, path: str) -> None:
        self.kind = kind
        self.path = path
        self.told = ""

    def begin(self) -> None:
        """Nothing is left of an earlier log; a file that must stay is emptied."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            pass
        except OSError:
            os.truncate(self.path, 0)

    def hand_over(self, ask: Ask) -> None:
        """Tell the lines that were added; a file that was written over is told anew."""
        size = self._size()
        if not self.told and not size:
            return
        text = self._read(min(size, LONGEST_LOG))
        new = text.removeprefix(self.told)
        open_line = bool(self.told) and not self.told.endswith("\n")
        grown = open_line and new and not new.startswith("\n")
        if grown or not text.startswith(self.told):
            asked(ask, "rewritten", log=self.kind)
            new = text
        elif open_line:
            new = new.removeprefix("\n")
        for line in new.removesuffix("\n").split("\n") if new else ():
            asked(ask, self.kind, line=line)
        self.told = text

    def _size(self) -> int:
        try:
            return os.stat(self.path).st_size
        except OSError:
            return 0

    def _read(self, size: int) -> str:
        try:
            with open(self.path, "rb", buffering=0) as file:
                data = file.read(size) or b""  # the room for it is taken at once
        except OSError:
            return ""
        text = data.decode(errors="replace")
        return text.replace("\r\n", "\n") if "\r" in text else text


def log_files(order: dict[str, Any]) -> list[LogFile]:
    """The files of an order: its `log_files` say where, or they are in its `folder`."""
    kinds = ("audit", "trace") if order.get("logs") else ()
    files = order.get("log_files") or {}
    return [
        LogFile(kind, files.get(kind) or f"{order['folder']}/{kind}.jsonl")
        for kind in kinds
    ]
