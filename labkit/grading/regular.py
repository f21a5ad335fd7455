"""Files of strangers, opened only where they are plain files below a given folder."""

import io
import os
import stat
from pathlib import Path
from typing import IO

from labkit.checking.submission import LARGEST_FILE
from labkit.errors import LabError

PIECE = 1 << 20
# A FIFO would keep whoever opens it waiting; a link may lead anywhere.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FLAGS |= getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_KINDS = (
    (stat.S_ISLNK, "a symbolic link, which is not followed; hand in the file itself"),
    (stat.S_ISDIR, "a folder, not a file; hand in a .ipynb or a .py file"),
    (stat.S_ISFIFO, "a FIFO, not a regular file; hand in a .ipynb or a .py file"),
    (stat.S_ISSOCK, "a socket, not a regular file; hand in a .ipynb or a .py file"),
    (stat.S_ISREG, ""),
)


def odd_kind(mode: int) -> str:
    """Why a file of this mode is not opened, or "" if it is a regular one."""
    device = "a device, not a regular file; hand in a .ipynb or a .py file"
    return next((why for is_kind, why in _KINDS if is_kind(mode)), device)


def open_regular(root: Path, parts: tuple[str, ...]) -> io.FileIO:
    """The regular file at `root`/parts, open to be read; no link in parts is followed.

    OSError if it cannot be, LabError if it is something else.
    """
    folder, opened = os.fspath(root), -1
    try:
        for part in parts[:-1] if os.open in os.supports_dir_fd else ():
            opened, before = _open_folder(folder, part, opened), opened
            _close(before)
            folder = ""
        return _open_last(folder, parts, opened)
    finally:
        _close(opened)


def _open_folder(folder: str, part: str, at: int) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    if at < 0:
        return os.open(os.path.join(folder, part), flags)
    return os.open(part, flags, dir_fd=at)


def _open_last(folder: str, parts: tuple[str, ...], at: int) -> io.FileIO:
    inside = at >= 0
    path = parts[-1] if inside else os.path.join(folder, *parts)
    where = {"dir_fd": at} if inside else {}
    # Asked before it is opened, for opening a device may do something.
    _refuse(os.stat(path, follow_symlinks=False, **where).st_mode)
    fd = os.open(path, _FLAGS, **where)
    try:
        _refuse(os.fstat(fd).st_mode)
        return io.FileIO(fd)
    except BaseException:
        os.close(fd)
        raise


def _refuse(mode: int) -> None:
    if why := odd_kind(mode):
        raise LabError(why)


def _close(fd: int) -> None:
    if fd >= 0:
        os.close(fd)


def read_regular(root: Path, parts: tuple[str, ...]) -> bytes:
    """What is in the file; LabError where it is too large or changes meanwhile."""
    for _ in range(2):
        with open_regular(root, parts) as file:
            before = _stamp(file)
            data = read_all(file)
            if _stamp(file) == before and len(data) == before[1]:
                return data
    raise LabError("it changes while it is read; grade it again when it rests")


def read_all(file: io.FileIO | IO[bytes]) -> bytes:
    """Everything in an open file, read piece by piece; LabError above the cap."""
    data = bytearray()
    while piece := file.read(PIECE):
        data += piece
        if len(data) > LARGEST_FILE:
            raise LabError("larger than 64 MiB; clear its outputs and save it")
    return bytes(data)


def _stamp(file: io.FileIO) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_mtime_ns, status.st_size
