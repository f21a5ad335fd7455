"""The confined process: shut everything, then serve the lab with learner's code."""

import faulthandler
import os
import random
import signal
import socket
import sys
import traceback
from typing import NoReturn

from labkit.checking.channel import Channel
from labkit.checking.child import introduced
from labkit.checking.place import Caps
from labkit.grading.jail import landlock, limits, namespaces, seccomp
from labkit.grading.jail.system import PR_SET_PDEATHSIG, prctl
from labkit.grading.jail.view import SCRATCH, View

NOT_SHUT = 86  # the exit status of a process that could not be confined
STREAM, DIAGNOSIS, AUDIT, TRACE = 3, 4, 5, 6
BEYOND = 7
SCRATCH_SIZE, SCRATCH_FILES = 8 << 20, 512
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",  # each thread would take memory of its own
    "MPLBACKEND": "agg",
}


def live(stream: int, diagnosis: int, view: View, caps: Caps) -> NoReturn:
    """Confine this process for good, then let it serve; it never comes back.

    If a step fails, the process ends before it has seen any of the submission.
    """
    try:
        _keep_only(stream, diagnosis)
        home = _confine(view, caps)
    except BaseException:
        os.write(DIAGNOSIS, traceback.format_exc().encode()[-2000:])
        os._exit(NOT_SHUT)
    os.environ.clear()
    os.environ.update(ENVIRONMENT, HOME=home, TMPDIR=home)
    random.seed()  # each submission draws its own numbers
    sys.argv[:] = ["submission"]
    channel = Channel(socket.socket(fileno=STREAM))
    # Without a folder of its own, its logs are files in memory that are open already.
    logs = {"audit": f"/proc/self/fd/{AUDIT}", "trace": f"/proc/self/fd/{TRACE}"}
    introduced(channel, channel.receive(), None if view.namespaces else logs)
    os._exit(0)  # no exit handler of the learner's runs


def _keep_only(stream: int, diagnosis: int) -> None:
    """Nothing stays open but the stream, the diagnosis and two files in memory."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    high = [os.dup(fd) for fd in (stream, diagnosis)]
    while min(high) < BEYOND:
        high = [os.dup(fd) for fd in high]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    for fd, place in zip(high, (STREAM, DIAGNOSIS)):
        os.dup2(fd, place)
    for name, place in (("audit", AUDIT), ("trace", TRACE)):
        log = os.memfd_create(name)
        os.dup2(log, place)
        if log < BEYOND and log not in (AUDIT, TRACE):
            os.close(log)
    os.closerange(BEYOND, 1 << 30)


def _confine(view: View, caps: Caps) -> str:
    """Take every power away, the filter last; the folder to work in comes back."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    home = str(SCRATCH) if view.namespaces else "/"
    if view.namespaces:
        namespaces.read_only(view.hidden, SCRATCH, SCRATCH_SIZE, SCRATCH_FILES)
    os.chdir(home)
    faulthandler.enable(DIAGNOSIS)
    faulthandler.register(signal.SIGUSR1, DIAGNOSIS)
    limits.apply(caps, view.threads)
    limits.give_up_capabilities()
    writable = [SCRATCH] if view.namespaces else []
    landlock.restrict(view.readable, view.listed, [*writable, *view.devices])
    seccomp.install(view.namespaces)
    return home
