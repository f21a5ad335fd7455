"""Archives: listed and read in memory, no path leaves them, bombs are refused."""

import io
import os
import stat
import sys
import zipfile
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labkit.grading import archives
from labkit.grading.handed_in import collect
from tests.grading.handing_in import Members, collected, fault_of, packed
from tests.submissions.written import write


def with_kind(name: str, kind: int) -> ZipInfo:
    info = ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o644) << 16
    return info


def test_a_students_archive_gives_the_students_files(tmp_path: Path) -> None:
    data = packed({"task/a.ipynb": b"1", "task/b.py": b"2", "task/data.csv": b"3"})
    found = [(h.submission, h.path, h.read()) for h in collected(tmp_path, data)]
    assert found == [
        ("alice/a", "in/alice.zip/task/a.ipynb", b"1"),
        ("alice/b", "in/alice.zip/task/b.py", b"2"),
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"alice.ipynb": b"a", "bob.py": b"b"},
        {"alice/x.ipynb": b"a", "bob/x.py": b"b"},
        {"all of them/alice.ipynb": b"a", "all of them/bob.py": b"b"},
        {"all of them/alice/x.ipynb": b"a", "all of them/bob/x.py": b"b"},
        {"alice.ZIP": packed({"x.ipynb": b"a"}), "bob.zip": packed({"x.py": b"b"})},
        {"__MACOSX/._a": b"", "g/alice_1_2_x.ipynb": b"a", "g/bob_3_4_x.py": b"b"},
    ],
    ids=["flat", "folders", "around flat", "around folders", "archives", "platform"],
)
def test_a_class_in_an_archive_is_a_class(tmp_path: Path, members: Members) -> None:
    file = write(tmp_path, "class.zip", packed(members))
    found = [(h.student, h.read()) for h in collect([file])]
    assert found == [("alice", b"a"), ("bob", b"b")]


@pytest.mark.parametrize("name", ["answer.py", "lesson_03_loop.ipynb", "w/answer.py"])
def test_one_students_archive_may_be_given_by_itself(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, "alice (1).zip", packed({name: b"x"}))
    assert [h.student for h in collect([file])] == ["w" if "/" in name else "alice"]


def test_an_archive_in_an_archive_in_an_archive_is_read(tmp_path: Path) -> None:
    inner = packed({"a.zip": packed({"lab.ipynb": b"deep"})}, ZIP_STORED)
    [handed_in] = collected(tmp_path, packed({"b.zip": inner}))
    assert (handed_in.submission, handed_in.read()) == ("alice", b"deep")


@pytest.mark.parametrize(
    "name", ["../x.py", "a/../../x.py", "/etc/x.py", "C:\\x.py", "..\\x.py"]
)
def test_a_path_that_leaves_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    assert "its path leaves the archive" in fault_of(tmp_path, packed({name: b"x"}))
    assert [p.name for p in tmp_path.rglob("*")] == ["in", "alice.zip"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [(stat.S_IFLNK, "a symbolic link"), (stat.S_IFIFO, "not a regular")],
)
def test_links_and_devices_in_an_archive_are_refused(
    tmp_path: Path, kind: int, why: str
) -> None:
    data = packed({with_kind("x.py", kind): b"/etc/passwd"})
    assert why in fault_of(tmp_path, data)


def test_one_refused_file_leaves_the_others_alone(tmp_path: Path) -> None:
    data = packed({"../x.py": b"x", "y.py": b"y"})
    bad, good = sorted(collected(tmp_path, data), key=lambda h: h.submission)
    assert bad.fault
    assert good.read() == b"y"


def test_a_locked_archive_is_told_as_such(tmp_path: Path) -> None:
    data = bytearray(packed({"a.py": b"x = 1"}))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + offset] |= 1
    assert "locked with a password" in fault_of(tmp_path, bytes(data))


def test_an_unusual_way_of_packing_is_refused(tmp_path: Path) -> None:
    data = packed({"a.py": b"x = 1"}, ZIP_BZIP2)
    assert "packed in an unusual way" in fault_of(tmp_path, data)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"not an archive", packed({"a": b"1"})[:-9]],
    ids=["empty", "two letters", "no archive", "cut off"],
)
def test_a_damaged_archive_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    why = fault_of(tmp_path, data)
    assert why.startswith("in/alice.zip: a damaged archive (")
    assert "\n" not in why


@pytest.mark.parametrize("name", ["a.tar.gz", "a.7z", "a.rar", "a.tgz"])
def test_another_kind_of_archive_is_told_as_such(tmp_path: Path, name: str) -> None:
    [handed_in] = collected(tmp_path, b"x", name)
    assert handed_in.fault == f"in/{name}: not a .zip; pack it as one."


def test_an_empty_archive_is_a_student_who_handed_nothing_in(tmp_path: Path) -> None:
    [handed_in] = collected(tmp_path, packed({}))
    assert (handed_in.submission, handed_in.missing) == ("alice", True)


def test_a_name_without_the_flag_that_says_utf8_is_read(tmp_path: Path) -> None:
    data = bytearray(packed({"Übung.py": b"x"}))
    for mark, offset in ((b"PK\3\4", 7), (b"PK\1\2", 9)):
        data[data.index(mark) + offset] &= ~8
    [handed_in] = collected(tmp_path, bytes(data))
    assert handed_in.path == "in/alice.zip/Übung.py"


def test_the_same_name_twice_gives_both_files(tmp_path: Path) -> None:
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr("a.py", b"1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.py", b"2")
    found = collected(tmp_path, made.getvalue())
    assert {h.read() for h in found} == {b"1", b"2"}
    assert len({h.submission for h in found}) == 2


def test_names_in_an_archive_are_printable_and_short(tmp_path: Path) -> None:
    odd = ["a\x1b[31m\n.py", "b" * 900 + ".py", "c/" * 40 + "c.py", "d\u202e.py"]
    for handed_in in collected(tmp_path, packed({name: b"x" for name in odd})):
        assert handed_in.submission.isprintable()
        assert handed_in.path.isprintable()
        assert len(handed_in.submission) <= 320


def test_one_archive_is_opened_once_for_all_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = packed({f"s{number}.py": b"x" for number in range(50)})
    file = write(tmp_path, "class.zip", data)
    times: list[object] = []
    raw = archives._raw
    monkeypatch.setattr(archives, "_raw", lambda at: times.append(at) or raw(at))
    assert [h.read() for h in collect([file])] == [b"x"] * 50
    assert len(times) == 1


def test_many_archives_do_not_stay_open(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("open files are counted in /proc")
    for number in range(40):
        write(tmp_path / "in", f"s{number}.zip", packed({"a.py": b"x"}))
    before = len(os.listdir("/proc/self/fd"))
    assert len(list(collect([tmp_path / "in"]))) == 40
    assert len(os.listdir("/proc/self/fd")) <= before + 10


SMALL = packed({"a.py": b"x = 1", "w/b.zip": packed({"c.py": b"y"})})


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), max_size=6)
)
def test_whatever_is_damaged_is_told_and_never_raised(
    tmp_path: Path, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(SMALL)
    for at, value in changes:
        data[at] = value
    with zipfile.ZipFile(io.BytesIO(SMALL)) as whole:
        assert len(whole.infolist()) == 2
    for handed_in in collected(tmp_path, bytes(data)):
        assert handed_in.fault or handed_in.read() is not None
