"""JSON lines on disk: the audit log and the trace."""

import json
import os
from pathlib import Path
from typing import Any, TextIO


class Log:
    """Appends one JSON line per `write` to a path or an open file; None drops them."""

    def __init__(self, target: str | Path | TextIO | None) -> None:
        self.target = target

    def write(self, **fields: Any) -> None:
        """Append the fields as one line, in ASCII, which a file of any encoding takes.

        With a path, it is on disk on return.
        """
        line = json.dumps(fields, default=str) + "\n"
        if isinstance(self.target, str | Path):
            with open(self.target, "a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        elif self.target is not None:
            self.target.write(line)
            self.target.flush()
