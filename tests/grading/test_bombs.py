"""Archives made to take memory, disk or time are refused."""

import tracemalloc
from pathlib import Path
from zipfile import ZIP_STORED

import pytest

from tests.grading.handing_in import collected, fault_of, packed


def test_archives_deeper_than_that_are_refused(tmp_path: Path) -> None:
    data = packed({"lab.ipynb": b"deep"})
    for _ in range(3):
        data = packed({"again.zip": data})
    assert "too many archives in each other" in fault_of(tmp_path, data)


def test_an_archive_of_many_archives_is_refused(tmp_path: Path) -> None:
    inner = packed({"lab.ipynb": b"x"})
    data = packed({f"{number}.zip": inner for number in range(30)})
    told = [h.fault for h in collected(tmp_path, data)]
    assert sum("too many archives" in why for why in told) == 11


def test_an_archive_of_zeros_is_refused(tmp_path: Path) -> None:
    zeros = bytes(2 << 20)
    data = packed({f"{number}.py": zeros for number in range(70)})
    assert len(data) < 1 << 20
    assert "unpacks to 140 MiB" in fault_of(tmp_path, data)


def test_parts_that_overlap_do_not_hide_how_dense_an_archive_is(
    tmp_path: Path,
) -> None:
    data = packed({"a.py": bytes(8 << 20)})
    at = data.index(b"PK\1\2")
    entry, end = data[at:-22], bytearray(data[-22:])
    count, size = 200, 200 * len(entry)
    end[8:16] = count.to_bytes(2, "little") * 2 + size.to_bytes(4, "little")
    assert "unpacks to 1600 MiB" in fault_of(tmp_path, data[:at] + entry * count + end)


def test_a_member_above_the_cap_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.grading.regular.LARGEST_FILE", 1000)
    assert "larger than 64 MiB" in fault_of(tmp_path, packed({"a.py": b"x" * 1001}))


def test_a_member_that_is_longer_than_it_says_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed({"a.py": b"x" * 5000}))
    for mark, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = (10).to_bytes(4, "little")
    assert "a damaged archive" in fault_of(tmp_path, bytes(data))


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path) -> None:
    data = packed({f"{n}.txt": b"" for n in range(20_001)}, ZIP_STORED)
    assert "an archive of 20001 files" in fault_of(tmp_path, data)


def test_a_directory_of_millions_is_not_taken_into_memory(tmp_path: Path) -> None:
    data = packed({f"{n:06}": b"" for n in range(100_000)}, ZIP_STORED)
    tracemalloc.start()
    try:
        assert "far too many files" in fault_of(tmp_path, data)
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
