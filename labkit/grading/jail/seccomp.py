"""A filter over system calls: what confined code may not ask of the kernel.

Written as a list of what is refused, since Python and its libraries may call anything
else. No socket but a pair, no process, no program, nothing that reaches out of here.
"""

import ctypes
import errno
import os
import platform
import socket
import struct

from labkit.grading.jail.syscalls import ARCHITECTURES, NUMBERS
from labkit.grading.jail.system import checked, no_new_privileges

PR_SET_SECCOMP = 22
FILTER = 2
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
LOAD, EQUAL, ANY_BIT, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x45, 0x35, 0x54, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
CLONE_THREAD = 0x10000
OTHER_NUMBERS = 0x40000000  # the x32 numbers of an x86_64 kernel

REFUSED = """
    fork vfork execve execveat socket connect bind listen ptrace
    process_vm_readv process_vm_writev process_madvise process_mrelease kcmp
    pidfd_open pidfd_getfd pidfd_send_signal mount umount2 pivot_root chroot
    unshare setns fsopen fsconfig fsmount fspick move_mount open_tree
    open_tree_attr mount_setattr bpf io_uring_setup io_uring_enter
    io_uring_register keyctl add_key request_key userfaultfd perf_event_open
    fanotify_init kexec_load kexec_file_load init_module finit_module
    delete_module open_by_handle_at name_to_handle_at personality swapon swapoff
    reboot move_pages migrate_pages quotactl quotactl_fd acct syslog capset
    memfd_create memfd_secret shmget semget msgget mq_open
"""
# Landlock does not look at these; where no read-only mount does, nobody may.
OUTSIDE_FILES = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes
    futimesat utimensat setxattr lsetxattr fsetxattr setxattrat removexattr
    lremovexattr fremovexattr removexattrat file_setattr
"""
OUTSIDE_PROCESSES = """
    setpriority ioprio_set sched_setparam sched_setscheduler sched_setaffinity
    sched_setattr
"""
# Their first argument is a process, which has to be this one.
OWN_PROCESS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"
OWNER_COMMANDS = (8, 10, 15)  # fcntl's F_SETOWN, F_SETSIG, F_SETOWN_EX


def install(namespaces: bool) -> None:
    """Filter this process and its threads from here on; there is no way back."""
    program = build(platform.machine(), namespaces, os.getpid())
    buffer = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // 8, ctypes.addressof(buffer))
    no_new_privileges()
    checked("prctl", PR_SET_SECCOMP, FILTER, ctypes.byref(header), 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def build(machine: str, namespaces: bool, pid: int) -> bytes:
    """The filter as a BPF program; without namespaces it refuses more.

    `pid` is then the only process that may be sent a signal.
    """
    table = NUMBERS[machine]
    program = _known_calls_only(ARCHITECTURES[machine])
    refused = REFUSED + ("" if namespaces else OUTSIDE_FILES + OUTSIDE_PROCESSES)
    for name in refused.split():
        if name in table:
            program += _refuse(table[name], errno.EPERM)
    program += _refuse(table["clone3"], errno.ENOSYS)  # the C library then uses clone
    program += _only_threads(table["clone"])
    program += _only_stream_pairs(table["socketpair"])
    if not namespaces:
        for name in OWN_PROCESS.split():
            program += _only_own(table[name], (pid,))
        program += _only_own(table["prlimit64"], (0, pid))
        program += _no_owners(table["fcntl"])
    return b"".join([*program, _step(RETURN, ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _known_calls_only(architecture: int) -> list[bytes]:
    return [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, architecture, 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        _step(AT_LEAST, OTHER_NUMBERS, 0, 1),
        _step(RETURN, KILL),
    ]


def _refuse(number: int, error: int) -> list[bytes]:
    return [_step(EQUAL, number, 0, 1), _step(RETURN, ERRNO | error)]


def _where(number: int, steps: list[bytes]) -> list[bytes]:
    """These steps for this call alone; they have to end in a return."""
    return [_step(EQUAL, number, 0, len(steps)), *steps]


def _argument(index: int) -> bytes:
    return _step(LOAD, FIRST_ARGUMENT + 8 * index)


def _allow_or(error: int) -> list[bytes]:
    """Allow, or refuse if the step before jumped over the first of these."""
    return [_step(RETURN, ALLOW), _step(RETURN, ERRNO | error)]


def _only_threads(number: int) -> list[bytes]:
    tested = [_argument(0), _step(ANY_BIT, CLONE_THREAD, 0, 1)]
    return _where(number, tested + _allow_or(errno.EAGAIN))


def _only_stream_pairs(number: int) -> list[bytes]:
    """What asyncio needs; a datagram pair could be sent to any address."""
    kind = [_argument(1), _step(AND, 0xF), _step(EQUAL, socket.SOCK_STREAM, 0, 1)]
    return _where(number, kind + _allow_or(errno.EACCES))


def _only_own(number: int, pids: tuple[int, ...]) -> list[bytes]:
    left = range(len(pids) - 1, -1, -1)
    tested = [_step(EQUAL, p, n, 0 if n else 1) for p, n in zip(pids, left)]
    return _where(number, [_argument(0), *tested, *_allow_or(errno.EPERM)])


def _no_owners(number: int) -> list[bytes]:
    """No file may be told to send its signals to somebody."""
    left = range(len(OWNER_COMMANDS), 0, -1)
    tested = [_step(EQUAL, c, n, 0) for c, n in zip(OWNER_COMMANDS, left)]
    return _where(number, [_argument(1), *tested, *_allow_or(errno.EPERM)])
