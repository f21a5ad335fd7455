"""Collecting: each file once, whose it is, and why it cannot be graded."""

import os
import pickle
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from labkit.errors import LabError
from labkit.grading import regular
from labkit.grading.handed_in import collect
from tests.grading.handing_in import filled, only, seen
from tests.submissions.written import write

L3, L4, L5 = "lesson_03_loop", "lesson_04_budgets", "lesson_05_errors"
posix = pytest.mark.skipif(sys.platform == "win32", reason="made by POSIX calls")


def test_what_systems_leave_behind_is_passed_over(tmp_path: Path) -> None:
    folder = filled(
        tmp_path,
        "alice/a.ipynb",
        "alice/.ipynb_checkpoints/a-checkpoint.ipynb",
        "__MACOSX/alice/._a.ipynb",
        "alice/__pycache__/x.py",
        "alice/venv/lib/x.py",
        ".hidden.py",
        ".git/hooks/x.py",
    )
    assert seen(folder) == [("alice", "alice")]


def test_other_files_beside_an_answer_are_passed_over(tmp_path: Path) -> None:
    folder = filled(tmp_path, "alice/a.ipynb", "alice/data.csv", "alice/notes.txt")
    assert seen(folder) == [("alice", "alice")]


def test_a_student_with_nothing_to_grade_is_told_once(tmp_path: Path) -> None:
    folder = filled(tmp_path / "in", "alice/a.pdf", "alice/b.txt", "bob.docx")
    told = [(h.submission, h.fault) for h in collect([folder])]
    assert told == [
        (
            "alice",
            "in/alice/a.pdf (and 1 more): not a submission; hand in a .ipynb or a .py "
            "file.",
        ),
        ("bob.docx", "in/bob.docx: not a submission; hand in a .ipynb or a .py file."),
    ]


def test_an_empty_folder_is_a_student_who_handed_nothing_in(tmp_path: Path) -> None:
    (tmp_path / "in" / "eve" / "deeper").mkdir(parents=True)
    handed_in = only(tmp_path / "in")
    assert (handed_in.submission, handed_in.missing) == ("eve", True)
    assert handed_in.fault == "in/eve: nothing was handed in."
    with pytest.raises(LabError, match="nothing was handed in"):
        handed_in.read()


@posix
def test_links_fifos_sockets_and_devices_are_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = write(tmp_path, "secret.py", "1")
    folder = filled(tmp_path / "in", "alice/a.py")
    (folder / "link.py").symlink_to(secret)
    (folder / "tree").symlink_to(tmp_path)
    (folder / "zip.zip").symlink_to(secret)
    os.mkfifo(folder / "fifo.ipynb")
    monkeypatch.chdir(folder)  # a socket's path has to be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
    told = {h.submission: h.fault for h in collect([folder]) if h.fault}
    link = "a symbolic link, which is not followed; hand in the file itself."
    assert told == {
        "link": f"in/link.py: {link}",
        "tree": f"in/tree: {link}",
        "zip": f"in/zip.zip: {link}",
        "fifo": "in/fifo.ipynb: a FIFO, not a regular file; hand in a .ipynb or a .py "
        "file.",
        "socket": "in/socket.py: a socket, not a regular file; hand in a .ipynb or a "
        ".py file.",
    }
    assert "a symbolic link" in only(folder / "link.py").fault
    assert "a symbolic link" in only(folder / "tree").fault


@posix
def test_a_device_is_refused_by_its_kind() -> None:
    assert "a device" in only(Path("/dev/null")).fault


@posix
@pytest.mark.parametrize("swapped", ["alice", "alice/a.py"])
def test_what_became_a_link_since_it_was_found_is_not_followed(
    tmp_path: Path, swapped: str
) -> None:
    other = filled(tmp_path / "other", "a.py", "alice/a.py")
    handed_in = only(filled(tmp_path / "in", "alice/a.py"))
    path = tmp_path / "in" / swapped
    path.rename(tmp_path / "away")
    path.symlink_to(other / swapped)
    with pytest.raises(LabError, match=r"in/alice/a\.py: "):
        handed_in.read()


@contextmanager
def ordinary_user() -> Iterator[None]:
    """For root, who may read everything: the rights of an ordinary user meanwhile."""
    as_root = os.geteuid() == 0
    if as_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if as_root:
            os.seteuid(0)


@posix
def test_a_file_and_a_folder_without_rights_are_told() -> None:
    with TemporaryDirectory() as public:  # pytest's own folders are root's alone
        Path(public).chmod(0o755)
        folder = filled(Path(public) / "in", "alice.py", "bob/b.py", "carl.py")
        seen(folder)  # whatever has to be imported, is
        (folder / "alice.py").chmod(0)
        (folder / "bob").chmod(0)
        with ordinary_user():
            told = {h.student: h.fault for h in collect([folder])}
        (folder / "bob").chmod(0o755)
    assert told["alice"] == "in/alice.py: cannot be read (Permission denied)."
    assert told["bob"].startswith("in/bob: cannot be read (Permission denied)")
    assert told["carl"] == ""


def test_a_file_that_changed_since_is_not_graded_under_its_old_name(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, "alice.py", "x = 1")
    handed_in = only(file)
    file.write_text("x = 2")
    with pytest.raises(LabError, match="changed after the batch began"):
        handed_in.read()
    file.unlink()
    with pytest.raises(LabError, match="cannot be read"):
        handed_in.read()


def test_a_file_that_changes_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, "alice.py", "x = 1")
    read, times = regular.read_all, []

    def changing(opened: object) -> bytes:
        data = read(opened)  # type: ignore[arg-type]
        times.append(data)
        if len(times) <= changes:
            file.write_text("x" * (100 + len(times)))
        return data

    monkeypatch.setattr(regular, "read_all", changing)
    changes = 1
    assert only(file).sha256 == sha256(b"x" * 101).hexdigest()
    times.clear()
    changes = 99
    assert "changes while it is read" in only(file).fault


def test_a_file_above_the_cap_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular, "LARGEST_FILE", 10)
    assert "larger than 64 MiB" in only(write(tmp_path, "a.py", "x" * 11)).fault
    assert not only(write(tmp_path, "a.py", "x" * 10)).fault


@posix
def test_odd_names_are_made_printable_and_still_found(tmp_path: Path) -> None:
    odd = [
        "a\n..x",
        "\x1b[31mred",
        "=cmd|' /C calc'",
        'say "hi", Bob',
        "-rf",
        "x" * 240,
    ]
    folder = filled(tmp_path / "in", *(f"{name}.py" for name in odd))
    (folder / os.fsdecode(b"latin\xe9.py")).write_text("x")
    found = list(collect([folder]))
    assert len(found) == 7
    for handed_in in found:
        assert handed_in.read()
        for text in (handed_in.submission, handed_in.student, handed_in.path):
            assert text.isprintable()
            assert text.encode()
    assert max(len(h.submission) for h in found) == 100


def test_a_composed_and_a_decomposed_name_are_one_student(tmp_path: Path) -> None:
    folder = filled(tmp_path, "u\u0308la/a.py", "ula/b.py")
    assert ("\u00fcla", "\u00fcla") in seen(folder)


def test_a_batch_can_be_sent_to_another_process(tmp_path: Path) -> None:
    handed_in = only(write(tmp_path, "alice.py", "x = 1"))
    assert pickle.loads(pickle.dumps(handed_in)).read() == b"x = 1"


@pytest.mark.parametrize("name", ["gone", "gone.zip", "gone.py"])
def test_a_path_that_is_not_there_is_the_commands_fault(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(LabError, match="there is no such file or folder"):
        list(collect([tmp_path / name]))


def test_nothing_at_all_is_the_commands_fault(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(LabError, match="nothing to grade"):
        list(collect([tmp_path]))
