"""System calls that Python has no function for."""

import ctypes
import os
from functools import cache
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38


@cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def checked(function: str, *args: Any) -> int:
    """What a function of the C library gave back; OSError if it was below zero."""
    back: int = getattr(_libc(), function)(*map(_as_c, args))
    if back < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function}: {os.strerror(number)}")
    return back


def syscall(number: int, *args: Any) -> int:
    """What a system call gave back; OSError if it failed."""
    return checked("syscall", number, *args)


def prctl(option: int, value: Any = 0) -> None:
    """Change something about this process."""
    checked("prctl", option, value, 0, 0, 0)


def no_new_privileges() -> None:
    """From here on, nothing this process starts can gain a privilege."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _as_c(value: Any) -> Any:
    """An int as a machine word, for the upper half of a smaller one is not defined."""
    return ctypes.c_long(value) if isinstance(value, int) else value
