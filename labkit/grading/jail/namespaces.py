"""Namespaces: a process without network, without neighbours, on read-only files."""

import os
import struct
from collections.abc import Iterable
from pathlib import Path

from labkit.grading.jail.syscalls import numbers
from labkit.grading.jail.system import PR_SET_DUMPABLE, checked, prctl, syscall

NEW_MOUNTS, NEW_UTS, NEW_IPC = 0x20000, 0x4000000, 0x8000000
NEW_USERS, NEW_PIDS, NEW_NET = 0x10000000, 0x20000000, 0x40000000
RDONLY, NOSUID, NODEV, NOEXEC, BIND = 1, 2, 4, 8, 0x1000
RECURSIVE, PRIVATE = 0x4000, 0x40000
AT_RECURSIVE = 0x8000
HERE = -100  # AT_FDCWD
NOBODY = 65534


def leave() -> None:
    """Leave every namespace; the next child is the first process of a new one."""
    uid, gid = os.getuid(), os.getgid()
    everything = NEW_USERS | NEW_PIDS | NEW_NET | NEW_IPC | NEW_UTS | NEW_MOUNTS
    checked("unshare", everything)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} {gid} 1", encoding="ascii")


def own_proc() -> None:
    """Let this process write its own user map after it has become somebody else."""
    prctl(PR_SET_DUMPABLE, 1)


def read_only(hidden: Iterable[Path], scratch: Path, size: int, files: int) -> None:
    """Make all files read-only, put nothing in place of some, and an empty folder."""
    _mount(None, Path("/"), None, RECURSIVE | PRIVATE)
    # Devices stay what they are: code may write to /dev/null.
    attributes = struct.pack("4Q", RDONLY | NOSUID, 0, 0, 0)
    number = numbers()["mount_setattr"]
    syscall(number, HERE, b"/", AT_RECURSIVE, attributes, len(attributes))
    empty = RDONLY | NOSUID | NODEV | NOEXEC
    for folder in hidden:
        _mount("tmpfs", folder, "tmpfs", empty, "size=4k,mode=555")
    kept = f"size={size},nr_inodes={files},mode=700"
    _mount("tmpfs", scratch, "tmpfs", NOSUID | NODEV, kept)


def uncover(roots: Iterable[Path]) -> None:
    """As root, in mounts of its own: let any user reach these folders, and only these.

    Python is often installed below a folder like /root, which nobody else may enter.
    """
    checked("unshare", NEW_MOUNTS)
    _mount(None, Path("/"), None, RECURSIVE | PRIVATE)
    shut: dict[Path, list[Path]] = {}
    for root in roots:
        for ancestor in reversed(root.parents):
            if not ancestor.stat().st_mode & 0o001:
                shut.setdefault(ancestor, []).append(root)
                break
    for ancestor, inside in shut.items():
        _replace(ancestor, inside)


def _replace(folder: Path, kept: list[Path]) -> None:
    """Cover a folder with an open one that holds nothing but some of its folders."""
    held = {path: os.open(path, os.O_PATH) for path in kept}
    _mount("tmpfs", folder, "tmpfs", NOSUID | NODEV, "size=64k,mode=755")
    for path, fd in held.items():
        if os.path.isdir(f"/proc/self/fd/{fd}"):
            path.mkdir(parents=True, mode=0o755)
        else:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
            path.touch()
        _mount(f"/proc/self/fd/{fd}", path, None, BIND | RECURSIVE)
        os.close(fd)


def _mount(
    source: str | None, target: Path, kind: str | None, flags: int, data: str = ""
) -> None:
    given = (os.fsencode(text) if text else None for text in (source, kind, data))
    source_, kind_, data_ = given
    try:
        checked("mount", source_, os.fsencode(target), kind_, flags, data_)
    except OSError as error:
        raise OSError(error.errno, f"{target}: {error.strerror}") from None
