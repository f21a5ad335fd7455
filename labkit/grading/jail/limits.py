"""What a confined process may take, enforced by the kernel."""

import os
import resource
import struct
from contextlib import suppress

from labkit.checking.place import Caps
from labkit.grading.jail.syscalls import numbers
from labkit.grading.jail.system import syscall

FILE_SIZE = 4 << 20
OPEN_FILES = 64
THREADS = 256
THREADS_OF_A_USER = 4096  # where all confined processes are counted together
CPU_SECONDS = 30  # of a whole life; each scenario has a limit of its own
CAPABILITIES_VERSION = 0x20080522


def apply(caps: Caps, threads: int) -> None:
    """Set every limit, soft and hard alike; a signal at a soft one can be ignored."""
    memory = _address_space() + caps.memory
    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_FSIZE: FILE_SIZE,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NPROC: threads,
    }
    for limit, value in wanted.items():
        _, hard = resource.getrlimit(limit)
        assert value >= 0  # a number below would be no limit at all
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))


def threads_allowed(namespaces: bool) -> int:
    """How many threads the kernel may count for the user of a confined process.

    In namespaces it counts those in there; elsewhere all that this user has.
    """
    return THREADS if namespaces else _threads_of(os.getuid()) + THREADS_OF_A_USER


def _threads_of(uid: int) -> int:
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == uid:
                found += len(os.listdir(f"/proc/{name}/task"))
    return found


def give_up_capabilities() -> None:
    """Lose the powers over its own namespaces that a process in a new one has."""
    header = struct.pack("Ii", CAPABILITIES_VERSION, 0)
    syscall(numbers()["capset"], header, struct.pack("6I", *[0] * 6))


def _address_space() -> int:
    """The bytes of address space this process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
