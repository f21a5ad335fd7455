"""The process in which learner's code runs: load it, then carry out orders."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from labkit.checking.channel import Channel, Closed
from labkit.checking.claims import TOLD
from labkit.checking.loading import Loaded, asked_names, load
from labkit.checking.owned import with_our_result
from labkit.checking.perform import perform
from labkit.checking.written import library_not_written, missing_names, unwritten
from labkit.replay.shortcut import take_the_shortcut
from labkit.silence import silent


def serve(
    channel: Channel,
    parts: list[str],
    get: Callable[[], Loaded],
    asked: list[str] | None = None,
    logs: dict[str, str] | None = None,
) -> None:
    """Say what was loaded, then carry out orders until the lab closes the stream.

    `logs` are the files of the audit log and the trace, where no folder can hold them.
    """
    with library_not_written(parts), suppress(Closed):
        channel.send({"ready": True})
        with silent():
            loaded = get()
        channel.send({"loaded": summary(loaded, parts, asked)})
        while True:
            taken = channel.receive()
            order = taken["order"] | {"log_files": logs or {}}
            outcome = perform(order, loaded.names, _asking(channel))
            channel.send({"outcome": outcome, "id": taken["id"]})


def summary(
    loaded: Loaded, parts: list[str], asked: list[str] | None = None
) -> dict[str, Any]:
    """What the lab needs to know of a loaded submission, as JSON.

    `asked` are the names that count, as a rule those of the parts.
    """
    asked = asked_names(parts) if asked is None else asked
    return {
        "unwritten": unwritten(loaded.names, parts),
        "missing": missing_names(loaded.names, asked),
        "notes": loaded.notes,
        "fault": loaded.fault,
    }


def limit_memory(size: int) -> None:
    """Let this process take `size` more bytes of address space, and dump no core."""
    import resource

    with suppress(OSError, ValueError):
        taken = _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (taken + size, taken + size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """The bytes of address space this process has; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _asking(channel: Channel) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def ask(question: dict[str, Any]) -> dict[str, Any]:
        if question["kind"] in TOLD:
            channel.hold({"tell": question})
            return {}
        channel.send({"ask": question})
        answer: dict[str, Any] = channel.receive()["answer"]
        return answer

    return ask


def introduced(
    channel: Channel, first: dict[str, Any], logs: dict[str, str] | None = None
) -> None:
    """Serve as the first frame says: which submission, which parts, and so on."""
    parts, asked = first["parts"], first["asked"]
    if first["beside"]:
        sys.path.append(first["beside"])
    if first["shortcut"]:
        take_the_shortcut()
    if asked is None:
        asked = asked_names(parts)

    def get() -> Loaded:
        loaded = load(first["submission"], asked, alone=not first["beside"])
        if first["beside"]:
            with_our_result(loaded.names)
        return loaded

    serve(channel, parts, get, asked, logs)


def main() -> None:
    """Serve on the file descriptor given as the only argument."""
    channel = Channel(socket.socket(fileno=int(sys.argv[1])))
    first = channel.receive()
    limit_memory(first["memory"])
    introduced(channel, first)
    os._exit(0)  # no exit handler of the learner's runs


if __name__ == "__main__":
    main()
