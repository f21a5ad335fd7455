"""Landlock: the folders a process may read and the one it may write; all else is shut.

See https://docs.kernel.org/userspace-api/landlock.html
"""

import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from labkit.grading.jail.syscalls import numbers
from labkit.grading.jail.system import no_new_privileges, syscall

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SPECIAL = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11  # character devices, sockets, …
TRUNCATE = 1 << 14
READ = EXECUTE | READ_FILE | READ_DIR
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
# The newest version of the interface that knows this many of the rights.
RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
TRUNCATION_IS_SEEN = 3


def version() -> int:
    """The version of the interface; OSError where the kernel has none."""
    return syscall(numbers()["landlock_create_ruleset"], None, 0, 1)


def restrict(
    readable: Iterable[Path], listed: Iterable[Path], writable: Iterable[Path]
) -> None:
    """Shut everything but these to this process, files and TCP, for good.

    Of what is `listed`, the names may be read and nothing else.
    """
    known = version()
    rights = (1 << max(n for v, n in RIGHTS.items() if v <= known)) - 1
    ruleset = _ruleset(known, rights)
    for path in readable:
        _allow(ruleset, path, READ & rights)
    for path in listed:
        _allow(ruleset, path, READ_DIR)
    for path in writable:
        _allow(ruleset, path, rights & ~(SPECIAL | EXECUTE))
    no_new_privileges()
    syscall(numbers()["landlock_restrict_self"], ruleset, 0)
    os.close(ruleset)


def _ruleset(known: int, rights: int) -> int:
    """Everything that this version can shut: files, TCP, signals and sockets."""
    tcp, scopes = 0b11, 0b11
    fields = [rights, *([tcp] if known >= 4 else []), *([scopes] if known >= 6 else [])]
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    number = numbers()["landlock_create_ruleset"]
    return syscall(number, attributes, len(attributes), 0)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= OF_A_FILE
        rule = struct.pack("=Qi", rights, fd)
        syscall(numbers()["landlock_add_rule"], ruleset, 1, rule, 0)
    finally:
        os.close(fd)
