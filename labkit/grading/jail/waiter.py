"""The one who waits for a confined process, and ends it when nobody wants it any more.

It holds one end of a leash. The lab's word on it is an order; its silence, when the lab
closed it or died, is the order to kill.
"""

import json
import os
import select
import signal
import socket
from contextlib import suppress
from typing import NoReturn

from labkit.checking.place import Caps
from labkit.grading.jail import confined, namespaces
from labkit.grading.jail.view import View

WHERE = b"where"  # the order to say at which line the code is


def wait(
    leash: socket.socket, stream: int, diagnosis: int, view: View, caps: Caps
) -> NoReturn:
    """Start a confined process, tell the lab its number, then what became of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if view.namespaces:
        namespaces.leave()
    pid = os.fork()
    if pid == 0:
        leash.close()
        confined.live(stream, diagnosis, view, caps)
    os.close(stream)
    os.close(diagnosis)
    _say(leash, pid=pid)
    _hold(leash, pid)
    _, status, used = os.wait4(pid, 0)
    seconds = used.ru_utime + used.ru_stime
    _say(leash, status=status, cpu=seconds, memory=used.ru_maxrss)
    os._exit(0)


def _hold(leash: socket.socket, pid: int) -> None:
    """Carry out the lab's orders until the process has ended."""
    process = os.pidfd_open(pid)
    both = select.poll()
    both.register(process, select.POLLIN)
    both.register(leash, select.POLLIN)
    while process not in (ready := dict(both.poll())):
        if leash.fileno() in ready:
            order = leash.recv(16)
            number = signal.SIGUSR1 if order == WHERE else signal.SIGKILL
            signal.pidfd_send_signal(process, number)
            if order != WHERE:
                return


def _say(leash: socket.socket, **what: object) -> None:
    with suppress(OSError):  # the lab is gone, and the process is about to go too
        leash.send(json.dumps(what).encode())
