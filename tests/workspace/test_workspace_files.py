"""Two tools that read what is inside the root and refuse everything else."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.workspace import Workspace

SECRET = "nobody may read this"
WRONG_TYPES = [None, 5, True, 2.5, [], ["notes.md"], {"path": "notes.md"}, b"notes.md"]
OUTSIDE = [
    "..",
    "../",
    "../secret.txt",
    "docs/../../secret.txt",
    "./../project-old/secret.txt",
    "../project-old",
    "/",
    "/etc/passwd",
    "//etc/passwd",
    "~",
    "~/secret.txt",
    "~root/.bashrc",
    "..\\secret.txt",
    "docs\\guide.md",
    "C:",
    "C:/secret.txt",
    "C:secret.txt",
    "C:\\secret.txt",
    "\\\\server\\share\\secret.txt",
]
LINKS_OUT = ["out.txt", "out", "out/secret.txt", "docs/up/secret.txt", "dangling"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a sibling whose name begins the same, and a secret in both."""
    root = tmp_path / "project"
    (root / "docs" / "deep").mkdir(parents=True)
    (root / "__pycache__").mkdir()
    (root / "docs" / "guide.md").write_text("# Guide\n", encoding="utf-8")
    (root / "notes.md").write_text("caf\u00e9\n", encoding="utf-8")
    (root / ".hidden").write_text("", encoding="utf-8")
    (root / "docs.txt").write_text("not the folder", encoding="utf-8")
    (tmp_path / "project-old").mkdir()
    (tmp_path / "project-old" / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.txt").write_text(SECRET)
    return root


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(root)


def link(place: Path, target: Path | str) -> None:
    try:
        place.symlink_to(target)
    except OSError:
        pytest.skip("this system lets nobody make symbolic links")


def error_of(answer: dict[str, Any]) -> str:
    assert list(answer) == ["error"]
    assert SECRET not in answer["error"]
    return str(answer["error"])


def test_a_listing_is_sorted_marks_folders_and_does_not_look_into_them(
    workspace: Workspace,
) -> None:
    entries = [".hidden", "docs.txt", "docs/", "notes.md"]
    assert workspace.list_dir() == {"path": ".", "entries": entries}
    assert workspace.list_dir("docs") == {
        "path": "docs",
        "entries": ["deep/", "guide.md"],
    }


def test_an_empty_folder_has_no_entries(workspace: Workspace) -> None:
    assert workspace.list_dir("docs/deep/")["entries"] == []


@pytest.mark.parametrize(
    "path", ["docs/guide.md", "./docs//guide.md", "docs/deep/../guide.md"]
)
def test_a_file_is_answered_under_its_one_plain_path(
    workspace: Workspace, path: Any
) -> None:
    assert workspace.read_file(path) == {
        "path": "docs/guide.md",
        "text": "# Guide\n",
        "truncated": False,
    }


def test_text_is_read_as_utf_8_with_its_line_ends(
    workspace: Workspace, root: Path
) -> None:
    assert workspace.read_file("notes.md")["text"] == "caf\u00e9\n"
    (root / "dos.txt").write_bytes(b"one\r\ntwo\r\n")
    assert workspace.read_file("dos.txt")["text"] == "one\r\ntwo\r\n"


@pytest.mark.parametrize(
    ("length", "truncated"), [(0, False), (7_999, False), (8_000, False), (8_001, True)]
)
def test_a_file_is_cut_after_8000_characters_not_bytes(
    workspace: Workspace, root: Path, length: int, truncated: bool
) -> None:
    (root / "long.txt").write_text("\u00fc" * length, encoding="utf-8")
    answer = workspace.read_file("long.txt")
    assert answer["text"] == "\u00fc" * min(length, 8_000)
    assert answer["truncated"] is truncated


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leaves_the_root_is_refused(
    workspace: Workspace, path: Any
) -> None:
    assert "outside the workspace" in error_of(workspace.read_file(path))
    assert "outside the workspace" in error_of(workspace.list_dir(path))


@pytest.mark.parametrize("path", LINKS_OUT)
def test_a_link_that_leads_out_is_refused_wherever_it_stands(
    workspace: Workspace, root: Path, path: Any
) -> None:
    link(root / "out.txt", root.parent / "secret.txt")
    link(root / "out", root.parent / "project-old")
    link(root / "docs" / "up", "../..")
    link(root / "dangling", root.parent / "nothing")
    assert "outside the workspace" in error_of(workspace.read_file(path))
    assert "outside the workspace" in error_of(workspace.list_dir(path))


def test_a_link_that_leads_out_is_listed_without_a_slash(
    workspace: Workspace, root: Path
) -> None:
    link(root / "out", root.parent / "project-old")
    assert "out" in workspace.list_dir()["entries"]


def test_a_link_that_stays_inside_is_followed(workspace: Workspace, root: Path) -> None:
    link(root / "handbook", "docs")
    assert "handbook/" in workspace.list_dir()["entries"]
    assert workspace.read_file("handbook/guide.md")["path"] == "docs/guide.md"


def test_a_root_that_is_a_link_is_the_folder_it_leads_to(root: Path) -> None:
    link(root.parent / "current", root)
    workspace = Workspace(root.parent / "current")
    assert workspace.read_file("docs/guide.md")["text"] == "# Guide\n"
    assert "outside" in error_of(workspace.read_file("../secret.txt"))


def test_links_in_a_circle_are_an_error_like_any_other(
    workspace: Workspace, root: Path
) -> None:
    link(root / "round", "round")
    assert error_of(workspace.read_file("round"))
    assert "round" in workspace.list_dir()["entries"]


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("retry.py", "'.'"),
        ("docs/retry.md", "'docs'"),
        ("docs/a/b/c.md", "'docs'"),
        ("notes.md/more", "'.'"),
        ("__pycache__/none.pyc", "'__pycache__'"),
    ],
)
def test_a_missing_file_names_the_folder_to_list(
    workspace: Workspace, path: Any, folder: str
) -> None:
    for answer in (workspace.read_file(path), workspace.list_dir(path)):
        assert f"there is no '{path}'; call list_dir on {folder}" in error_of(answer)


def test_a_folder_is_not_read_and_a_file_not_listed(workspace: Workspace) -> None:
    assert "is a folder" in error_of(workspace.read_file("docs"))
    assert "is a folder" in error_of(workspace.read_file(""))
    assert "is not a folder" in error_of(workspace.list_dir("notes.md"))


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"caf\xe9", b"good start \x80"])
def test_a_file_that_is_not_utf_8_is_said_to_be(
    workspace: Workspace, root: Path, data: bytes
) -> None:
    (root / "picture").write_bytes(data)
    assert "not UTF-8" in error_of(workspace.read_file("picture"))


@pytest.mark.parametrize("path", WRONG_TYPES)
def test_a_path_that_is_no_text_is_quoted_in_the_error(
    workspace: Workspace, path: Any
) -> None:
    for answer in (workspace.read_file(path), workspace.list_dir(path)):
        assert f"not {path!r}" in error_of(answer)


@pytest.mark.parametrize("path", ["notes.md\0", "\0", "\ud800", "x" * 5_000])
def test_a_path_no_file_can_have_is_an_error(workspace: Workspace, path: Any) -> None:
    assert len(error_of(workspace.read_file(path))) < 200
    assert len(error_of(workspace.list_dir(path))) < 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_refused_instead_of_waited_for(
    workspace: Workspace, root: Path
) -> None:
    os.mkfifo(root / "pipe")
    assert "not a regular file" in error_of(workspace.read_file("pipe"))
    assert "pipe" in workspace.list_dir()["entries"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_file_without_permission_is_an_error(
    workspace: Workspace, root: Path
) -> None:
    (root / "notes.md").chmod(0)
    assert "cannot be opened" in error_of(workspace.read_file("notes.md"))


def test_a_root_that_is_no_folder_is_the_programmers_mistake(root: Path) -> None:
    with pytest.raises(NotADirectoryError, match="nowhere"):
        Workspace(root / "nowhere")


def test_unknown_argument_names_stay_pythons_own_type_error(
    workspace: Workspace,
) -> None:
    with pytest.raises(TypeError, match="file"):
        workspace.functions["read_file"](file="notes.md")


PARTS = st.sampled_from(["..", ".", "", "/", "~", "docs", "notes.md", "\\", "C:", "\0"])


@settings(deadline=None)
@given(st.text(max_size=20) | st.lists(PARTS, max_size=6).map("/".join))
def test_no_path_makes_a_tool_raise_or_leave_the_sample(path: Any) -> None:
    workspace = Workspace()
    for answer in (workspace.read_file(path), workspace.list_dir(path)):
        assert json.dumps(answer)
        if "error" not in answer:
            found = (workspace.root / answer["path"]).resolve()
            assert found.is_relative_to(workspace.root)
