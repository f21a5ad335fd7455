"""The parts of the jail: numbers, filter, frames, and what may be seen."""

import errno
import re
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit import lab
from labkit.checking import claims
from labkit.checking.channel import Malformed
from labkit.grading.jail import frames
from labkit.grading.jail.syscalls import ARCHITECTURES, NUMBERS, numbers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jails are Linux'")

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ONLY_ON_X86_64 = {
    *("fork", "vfork", "chmod", "chown", "lchown", "utime", "utimes", "futimesat")
}


@pytest.mark.parametrize("machine", NUMBERS)
def test_the_numbers_are_those_of_the_kernels_own_header(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"no {header} here")
    found = re.findall(r"#define __NR3?2?6?4?_?(\w+)\s+(\d+)", header.read_text())
    known = {name: int(number) for name, number in found}
    ours = NUMBERS[machine]
    assert {n: known[n] for n in ours if n in known} == {
        n: number for n, number in ours.items() if n in known
    }
    assert len(known.keys() & ours.keys()) > 70


def test_both_processors_refuse_the_same_calls() -> None:
    assert NUMBERS["x86_64"].keys() - NUMBERS["aarch64"].keys() == ONLY_ON_X86_64
    assert NUMBERS["aarch64"].keys() <= NUMBERS["x86_64"].keys()


def test_another_processor_is_refused() -> None:
    with pytest.raises(OSError, match="no table of system calls for sparc"):
        numbers("sparc")


def judged(program: bytes, machine: str, number: int, *args: int) -> int:
    """What the kernel would do with a call: a small model of its filter machine."""
    words = [a & 0xFFFFFFFFFFFFFFFF for a in (*args, 0, 0, 0, 0, 0, 0)[:6]]
    data = struct.pack("<iIQ6Q", number, ARCHITECTURES[machine], 0, *words)
    steps = list(struct.iter_unpack("HBBI", program))
    place = value = 0
    while True:
        code, if_true, if_false, k = steps[place]
        place += 1
        if code == 0x20:
            [value] = struct.unpack_from("<I", data, k)
        elif code == 0x54:
            value &= k
        elif code == 0x06:
            return int(k)
        else:
            test = {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[code]
            place += if_true if test else if_false


@pytest.mark.parametrize("machine", NUMBERS)
@pytest.mark.parametrize("namespaces", [True, False])
def test_the_filter_refuses_what_it_must_and_nothing_more(
    machine: str, namespaces: bool
) -> None:
    from labkit.grading.jail import seccomp

    program = seccomp.build(machine, namespaces, 4711)
    table = NUMBERS[machine]

    def call(name: str, *args: int) -> int:
        return judged(program, machine, table[name], *args)

    for name in seccomp.REFUSED.split():
        if name in table:
            assert call(name) == ERRNO | errno.EPERM, name
    assert call("clone3") == ERRNO | errno.ENOSYS
    assert call("clone", 17) == ERRNO | errno.EAGAIN
    assert call("clone", 0x3D0F00) == ALLOW
    assert call("socketpair", 1, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) == ALLOW
    assert call("socketpair", 1, socket.SOCK_DGRAM) == ERRNO | errno.EACCES
    assert judged(program, machine, 0x40000000) == KILL
    assert judged(program, machine, 1 << 12) == ALLOW
    outside = ALLOW if namespaces else ERRNO | errno.EPERM
    for name in (seccomp.OUTSIDE_FILES + seccomp.OUTSIDE_PROCESSES).split():
        if name in table:
            assert call(name) == outside, name
    for name in seccomp.OWN_PROCESS.split():
        assert call(name, 4711) == ALLOW
        assert call(name, -1) == call(name, 1) == outside
    assert call("prlimit64", 0) == call("prlimit64", 4711) == ALLOW
    assert call("prlimit64", 1) == outside
    assert [call("fcntl", 3, n) for n in (8, 10, 15)] == [outside] * 3
    assert call("fcntl", 3, 2) == ALLOW


def test_another_processors_calls_end_the_process() -> None:
    from labkit.grading.jail import seccomp

    program = seccomp.build("x86_64", True, 1)
    assert judged(program, "aarch64", 63) == KILL


@pytest.fixture
def measured() -> frames.Measured:
    ours, theirs = socket.socketpair()
    theirs.close()
    channel = frames.Measured(ours)
    channel.close()
    return channel


@pytest.mark.parametrize(
    ("data", "deep"),
    [
        (b'{"a":' + b"[" * 200 + b"]" * 200 + b"}", True),
        (b'{"a": "' + b"[" * 200 + b'"}', False),
        (b'{"a": "\\"' + b"[{" * 200 + b'"}', False),
        (b'{"a": "\\\\", "b": ' + b"[" * 200 + b"]" * 200 + b"}", True),
        (b"[" + b"[1]," * 5000 + b"[1]]", False),
        (b'{"a":[' * 40 + b"1" + b"]}" * 40, True),
        (b'{"a":[' * 30 + b"1" + b"]}" * 30, False),
    ],
)
def test_depth_is_counted_where_it_is_no_text(
    measured: frames.Measured, data: bytes, deep: bool
) -> None:
    if not deep:
        measured.measure(data)
        return
    with pytest.raises(Malformed, match="deep"):
        measured.measure(data)


def test_a_life_of_frames_ends_when_it_is_too_much(measured: frames.Measured) -> None:
    for _ in range(frames.MOST >> 20):
        measured.measure(b" " * (1 << 20))
    with pytest.raises(frames.TooMuch):
        measured.measure(b" ")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=8,
)
FRAMES = st.dictionaries(
    st.sampled_from(["ask", "tell", "outcome", "loaded", "id", "x"]),
    JSON
    | st.fixed_dictionaries(
        {"kind": st.sampled_from([*claims.QUESTIONS, "stop"])},
        optional={
            n: JSON for n in ("request", "line", "text", "name", "args", "stopped")
        },
    ),
)


@given(FRAMES)
def test_what_is_said_has_a_known_shape_or_is_malformed(frame: dict[str, Any]) -> None:
    readers = (claims.arrived, claims.asked)
    for read in (*readers, lambda said: claims.outcome(said, "x")):
        with suppress(Malformed):
            assert isinstance(read(dict(frame)), dict)


def test_no_process_can_say_that_the_lab_is_broken() -> None:
    loaded = {"unwritten": {}, "missing": {}, "notes": [], "fault": None}
    assert claims.arrived({"loaded": loaded}) == loaded
    with pytest.raises(Malformed):
        claims.arrived({"loaded": loaded | {"stopped": "broken"}})


def test_what_may_be_read_leaves_out_the_labs_data(
    lab_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from labkit.grading.jail.view import View

    (lab_copy / "labkit").mkdir()
    view = View(namespaces=True, threads=1)
    view.open([lab_copy, Path("/usr")])
    assert set(view.hidden) == {
        lab_copy / name for name in ("checkers", "recordings", "notebooks")
    }
    assert set(view.readable) == {
        *(lab_copy / "labkit", lab_copy / "README.md", Path("/usr"))
    }
    assert view.listed == [lab_copy]
    assert lab.lab_folder() == lab_copy


def test_a_checkout_is_not_read_beside_its_package() -> None:
    from labkit.grading.jail.view import outermost, python_paths

    found = outermost(python_paths())
    package = Path(lab.__file__).parent
    assert any(path == package or path in package.parents for path in found)
    assert not any(path == package.parent for path in found)
    assert not any(a in b.parents for a in found for b in found)
