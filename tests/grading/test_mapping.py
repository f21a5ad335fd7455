"""The instructor's table of whose file is whose."""

from pathlib import Path

import pytest

from labkit.errors import LabError
from labkit.grading.handed_in import collect
from labkit.grading.mapping import read_mapping
from tests.grading.handing_in import packed
from tests.submissions.written import write


def students(folder: Path, table: str) -> dict[str, str]:
    mapping = write(folder, "who.csv", table)
    return {h.path: h.student for h in collect([folder / "in"], mapping)}


@pytest.mark.parametrize(
    "file",
    ["x/lab.py", "in/x/lab.py", "./x/lab.py", "x\\lab.py", "lab.py", "x", "x/", "in/x"],
)
def test_a_file_is_named_by_path_name_or_folder(tmp_path: Path, file: str) -> None:
    write(tmp_path, "in/x/lab.py", "1")
    table = f"file,student\n{file},Alice\n"
    assert students(tmp_path, table) == {"in/x/lab.py": "Alice"}


@pytest.mark.parametrize(
    "table",
    [
        "\ufefffile,student\r\na.py,Alice\r\n",
        "student,mark,file\nAlice,3,a.py\n",
        "file;student\na.py;Alice\n",
        'file,student\n"a.py","Alice"\n\n,\n',
        "file,student\na.py,Alice\na.py,Alice\n",
    ],
    ids=["Excel", "more columns", "semicolons", "quoted", "twice the same"],
)
def test_a_table_as_programs_save_it_is_read(tmp_path: Path, table: str) -> None:
    write(tmp_path, "in/a.py", "1")
    assert students(tmp_path, table) == {"in/a.py": "Alice"}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("", "its first line must name the columns file,student"),
        ("name,who\na.py,Alice\n", "its first line must name the columns file,student"),
        ("file,student\na.py\n", "line 2: needs both a file and a student"),
        ("file,student\n,Alice\n", "line 2: needs both a file and a student"),
        ("file,student\na.py,A\na.py,B\n", r"line 3: a\.py has two students"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, table: str, words: str
) -> None:
    with pytest.raises(LabError, match=words):
        read_mapping(write(tmp_path, "who.csv", table))


def test_a_table_that_is_not_there_or_not_text_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="give a CSV in UTF-8"):
        read_mapping(tmp_path / "gone.csv")
    with pytest.raises(LabError, match="give a CSV in UTF-8"):
        read_mapping(write(tmp_path, "who.csv", b"file,student\na.py,Andr\xe9\n"))


def test_the_table_wins_over_a_platforms_prefix(tmp_path: Path) -> None:
    write(tmp_path, "in/doe_1_2_a.py", "1")
    table = "file,student\ndoe_1_2_a.py,Jane Doe\n"
    assert students(tmp_path, table) == {"in/doe_1_2_a.py": "Jane Doe"}


def test_a_file_that_the_table_lacks_is_listed_by_its_own_name(tmp_path: Path) -> None:
    write(tmp_path, "in/a.py", "1")
    write(tmp_path, "in/b.py", "1")
    table = "file,student\na.py,Alice\n"
    assert students(tmp_path, table) == {"in/a.py": "Alice", "in/b.py": "b"}


def test_a_student_of_the_table_without_a_file_is_missing(tmp_path: Path) -> None:
    write(tmp_path, "in/a.py", "1")
    mapping = write(tmp_path, "who.csv", "file,student\na.py,Al\nb.py,Bo\nc.py,Al\n")
    found = {h.submission: h.missing for h in collect([tmp_path / "in"], mapping)}
    assert found == {"Al": False, "Bo": True}


def test_the_table_itself_is_nobodys_submission(tmp_path: Path) -> None:
    write(tmp_path, "in/a.py", "1")
    mapping = write(tmp_path, "in/who.csv", "file,student\na.py,Alice\n")
    assert [h.student for h in collect([tmp_path / "in"], mapping)] == ["Alice"]


def test_files_in_an_archive_are_named_by_the_archive_too(tmp_path: Path) -> None:
    write(tmp_path, "in/up7.zip", packed({"lab.py": b"1"}))
    table = "file,student\nup7.zip,Alice\n"
    assert students(tmp_path, table) == {"in/up7.zip/lab.py": "Alice"}


def test_a_students_odd_name_is_kept_on_one_line(tmp_path: Path) -> None:
    write(tmp_path, "in/a.py", "1")
    table = 'file,student\na.py,"=1+1, ""Bob""\nDoe"\n'
    assert students(tmp_path, table) == {"in/a.py": '=1+1, "Bob" Doe'}
