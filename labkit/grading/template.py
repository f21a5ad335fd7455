"""The warm process of which each confined one is a fork: everything is imported.

It holds no recording, no check, no seed and no key, and never sees a submission: a
fork gets that over its own stream. It ends when the lab closes its end, or dies.
"""

import array
import gc
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from labkit.checking.place import Caps
from labkit.grading.jail import limits, namespaces, waiter
from labkit.grading.jail.view import SCRATCH, View, outermost, python_paths
from labkit.grading.warming import warm_up

SELDOM = (50_000, 20, 100)  # a fork lives shortly; a quarter of it went into this
NOBODY_ELSE = 65533  # as root: a user that no account has
GIVEN = 3  # of each fork: leash, stream, diagnosis


def main() -> None:
    """Serve forks on the socket whose number is the first argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(sys.argv[2])
    try:
        with TemporaryDirectory(prefix="labkit-", dir=SCRATCH) as folder:
            warm_up(folder)
        view = _prepared(settings["namespaces"])
    except Exception as error:
        control.send(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode())
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks for what became of them
    gc.collect()
    gc.freeze()  # or a fork's first collection would copy all that is shared
    gc.set_threshold(*SELDOM)
    control.send(b"{}")
    _serve(control, view, Caps(**settings["caps"]))


def _prepared(separate: bool) -> View:
    """What forks may see; as root, this process has become somebody else."""
    paths = python_paths()
    if os.getuid() == 0:
        _become_nobody(paths)
    view = View(separate, limits.threads_allowed(separate))
    roots = outermost(path.resolve() for path in paths)
    for root in roots:
        if not os.access(root, os.R_OK):
            raise OSError(f"{root} cannot be read by user {os.getuid()}")
    view.open(roots)
    return view


def _become_nobody(paths: list[Path]) -> None:
    with suppress(PermissionError):  # whether Python can be read then, is seen next
        namespaces.uncover(outermost([*paths, *(path.resolve() for path in paths)]))
    os.setgroups([])
    os.setresgid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
    os.setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
    namespaces.own_proc()


def _serve(control: socket.socket, view: View, caps: Caps) -> None:
    """Fork for each message, which carries the fork's end of everything."""
    space = socket.CMSG_SPACE(GIVEN * array.array("i").itemsize)
    while True:
        message, ancillary, _, _ = control.recvmsg(16, space)
        if not message:
            return
        given = array.array("i")
        for _, _, data in ancillary:
            given.frombytes(data)
        if os.fork() == 0:
            _fork(control, given.tolist(), view, caps)
        for fd in given:
            os.close(fd)


def _fork(control: socket.socket, given: list[int], view: View, caps: Caps) -> None:
    control.close()
    leash = socket.socket(fileno=given[0])
    try:
        waiter.wait(leash, given[1], given[2], view, caps)
    except BaseException as error:
        fault = f"{type(error).__name__}: {error}"
        leash.send(json.dumps({"fault": fault}).encode())
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
