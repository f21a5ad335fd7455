"""Whose a file is, what it is called in a batch, and which lessons it is for."""

from hashlib import sha256
from pathlib import Path

import pytest

from labkit.grading.handed_in import collect
from tests.grading.handing_in import filled, only, seen
from tests.submissions.written import write

L3, L4, L5 = "lesson_03_loop", "lesson_04_budgets", "lesson_05_errors"


def test_a_file_is_its_students_by_its_name(tmp_path: Path) -> None:
    handed_in = only(write(tmp_path, "alice.py", "x = 1"))
    assert (handed_in.submission, handed_in.student) == ("alice", "alice")
    assert handed_in.sha256 == sha256(b"x = 1").hexdigest()
    assert handed_in.path.endswith("/alice.py")
    assert (handed_in.read(), handed_in.fault) == (b"x = 1", "")


def test_a_flat_folder_holds_a_student_per_file(tmp_path: Path) -> None:
    folder = filled(tmp_path / "in", "bob.py", "Alice.ipynb", "carol (1).IPYNB")
    assert seen(folder) == [
        ("Alice", "Alice"),
        ("bob", "bob"),
        ("carol", "carol"),
    ]


def test_a_folder_of_folders_holds_a_student_per_folder(tmp_path: Path) -> None:
    folder = filled(
        tmp_path / "in",
        f"alice/{L3}.ipynb",
        f"alice/deep/{L4}.ipynb",
        "j.doe/answer.py",
    )
    assert seen(folder) == [
        (f"alice/{L4}", "alice"),
        (f"alice/{L3}", "alice"),
        ("j.doe", "j.doe"),
    ]


def test_the_labs_own_file_names_are_nobodys_name(tmp_path: Path) -> None:
    folder = filled(tmp_path / "dora", f"{L3}.ipynb", f"{L4}-Copy1.ipynb")
    whose = [(f"dora/{L3}", "dora"), (f"dora/{L4}-Copy1", "dora")]
    assert seen(folder) == whose
    assert seen(*sorted(folder.iterdir(), reverse=True)) == whose


def test_files_of_one_name_go_by_their_folders(tmp_path: Path) -> None:
    folder = filled(tmp_path, "alice/answer.py", "bob/answer.py")
    assert seen(folder / "alice/answer.py", folder / "bob/answer.py") == [
        ("alice", "alice"),
        ("bob", "bob"),
    ]


def test_names_in_a_batch_are_unique_whatever_their_capitals(tmp_path: Path) -> None:
    folder = filled(
        tmp_path, "a/x/answer.py", "a/y/answer.py", "a/y/answer.ipynb", "A.ipynb"
    )
    names = [h.submission for h in collect([folder])]
    assert len({name.casefold() for name in names}) == 4
    assert names == ["A", "a/answer", "a/a/y/answer.ipynb", "a/a/y/answer.py"]


def test_a_file_given_twice_is_handed_in_once(tmp_path: Path) -> None:
    folder = filled(tmp_path / "in", "alice.py")
    assert seen(folder, folder / "alice.py", folder / ".") == [("alice", "alice")]


def test_the_order_of_the_paths_changes_no_name(tmp_path: Path) -> None:
    one = filled(tmp_path / "one", "a.py", "b.py")
    two = filled(tmp_path / "two", "a.py", "A.ipynb")
    assert set(seen(one, two)) == set(seen(two, one))


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("doejane_12345_678_lesson_03_loop.ipynb", "doejane"),
        ("doejane_LATE_12345_678_lab3-1.ipynb", "doejane"),
        ("Jane Doe_77_assignsubmission_file_/Lab 3.ipynb", "Jane Doe"),
        ("Jane Doe_77_assignsubmission_file_lab3.ipynb", "Jane Doe"),
        ("Lab_3_jdoe_attempt_2026-03-01-12-30-00_my answer.py", "jdoe"),
        ("Lab 3_jdoe_attempt_2026-03-01-12-30-00_lab.ipynb", "jdoe"),
        ("group 7/doejane_12345_678_lab3.ipynb", "doejane"),
        ("my_answer_3.ipynb", "my_answer_3"),
    ],
)
def test_the_prefix_of_a_platform_names_the_student(
    tmp_path: Path, path: str, student: str
) -> None:
    assert seen(filled(tmp_path / "in", path)) == [(student, student)]


def test_two_students_of_one_name_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    folder = filled(tmp_path, "lee_1_10_a.py", "lee_2_11_a.py", "kim_3_12_a.py")
    assert [student for _, student in seen(folder)] == ["kim", "lee_1", "lee_2"]


def test_two_files_of_one_student_of_a_platform_are_both_there(tmp_path: Path) -> None:
    folder = filled(tmp_path, f"lee_1_10_{L3}.ipynb", f"lee_1_11_{L4}.ipynb")
    assert seen(folder) == [(f"lee/{L3}", "lee"), (f"lee/{L4}", "lee")]


def test_a_lesson_in_the_name_or_path_is_what_a_file_is_graded_for(
    tmp_path: Path,
) -> None:
    chosen = [L3, L4]
    folder = filled(
        tmp_path / "in",
        f"anna/{L3} (2).ipynb",
        f"ben_{L4.upper()}.ipynb",
        f"carl/{L4.replace('_', '-')}/answer.py",
        "dora.ipynb",
        f"emil_{L3}_and_{L4}.ipynb",
    )
    found = {h.student: h.lessons(chosen) for h in collect([folder])}
    assert found == {
        "anna": [L3],
        f"ben_{L4.upper()}": [L4],
        "carl": [L4],
        "dora": chosen,
        f"emil_{L3}_and_{L4}": chosen,
    }


def test_files_beside_the_labs_own_are_not_graded_for_the_same_lesson(
    tmp_path: Path,
) -> None:
    folder = filled(
        tmp_path / "alice",
        "00_start_here.ipynb",
        f"{L3}.ipynb",
        f"{L5}.ipynb",
        "my_agent/agent.py",
    )
    found = {h.submission: h.lessons([L3]) for h in collect([folder.parent])}
    assert found == {
        "alice/00_start_here": [],
        f"alice/{L3}": [L3],
        f"alice/{L5}": [],
        "alice/agent": [],
    }


def test_a_student_is_never_left_out_for_a_files_name(tmp_path: Path) -> None:
    handed_in = only(filled(tmp_path / "in", f"alice/{L5}.ipynb"))
    assert handed_in.lessons([L3, L4]) == [L3, L4]
