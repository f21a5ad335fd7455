"""JSON lines on disk: the audit log and the trace."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from labkit.agent.guardrail import Decision


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


def audit_line(name: str, args: dict[str, Any], decision: Decision) -> dict[str, Any]:
    """The fields of a decision's line in the audit log; `time` is UTC, ISO 8601."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "tool": name,
        "arguments": args,
        "decision": "allowed" if decision.allowed else "denied",
        "reason": decision.reason,
    }
