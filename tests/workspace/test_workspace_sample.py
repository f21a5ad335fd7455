"""The code base that ships with labkit, its question, and the two schemas."""

import ast
import inspect
import re
from typing import Any, get_type_hints

import pytest

from labkit.workspace import SAMPLE, SYSTEM, TOOLS, Workspace

FIRST_GUESSES = ["retry.py", "src/retry.py", "retries.py", "src/retries.py", "src/"]
HOPS = {
    "parceltrack/client.py": "import .*pause_before_next",
    "parceltrack/carrier_faults.py": r"if failures > settings\.max_retries:",
    "parceltrack/settings.py": r"max_retries: int = 4\b",
}


def listed(workspace: Workspace, folder: str = ".") -> list[str]:
    """Every file's path, found as a model finds it: folder by folder."""
    answer = workspace.list_dir(folder)
    prefix = "" if folder == "." else f"{folder}/"
    paths = []
    for entry in answer["entries"]:
        if entry.endswith("/"):
            paths += listed(workspace, f"{prefix}{entry[:-1]}")
        else:
            paths.append(f"{prefix}{entry}")
    return paths


def texts() -> dict[str, str]:
    workspace = Workspace()
    return {path: workspace.read_file(path)["text"] for path in listed(workspace)}


def test_the_sample_is_a_small_code_base_that_can_be_read_whole() -> None:
    workspace = Workspace()
    assert len(listed(workspace)) == 8
    assert not any(workspace.read_file(path)["truncated"] for path in listed(workspace))
    assert 150 <= sum(text.count("\n") for text in texts().values()) <= 250


@pytest.mark.parametrize("guess", FIRST_GUESSES)
def test_a_first_guess_at_the_file_fails_and_asks_for_a_listing(guess: str) -> None:
    assert "call list_dir on '.'" in Workspace().read_file(guess)["error"]


@pytest.mark.parametrize("path", HOPS)
def test_each_hop_to_the_answer_stands_where_it_is_looked_for(path: Any) -> None:
    assert re.search(HOPS[path], texts()[path])


def test_the_answer_stands_in_one_place_only() -> None:
    for path, text in texts().items():
        assert ("max_retries: int" in text) == (path == "parceltrack/settings.py")
        assert ("> settings.max_retries" in text) == (
            path == "parceltrack/carrier_faults.py"
        )
    assert "retr" not in texts()["README.md"].lower()


def test_the_number_is_no_other_settings_number() -> None:
    assert len(re.findall(r"\b4\b", texts()["parceltrack/settings.py"])) == 1


def test_the_sample_is_python_that_compiles() -> None:
    for path, text in texts().items():
        if path.endswith(".py"):
            assert ast.get_docstring(ast.parse(text, path))


def test_the_functions_are_those_the_schemas_describe() -> None:
    names = [tool["function"]["name"] for tool in TOOLS]
    assert names == list(Workspace(SAMPLE).functions) == ["list_dir", "read_file"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["function"]["name"])
def test_a_schema_and_its_method_say_the_same(tool: dict[str, Any]) -> None:
    schema = tool["function"]["parameters"]
    method = getattr(Workspace, tool["function"]["name"])
    found = dict(inspect.signature(method).parameters)
    found.pop("self")
    empty = inspect.Parameter.empty
    assert list(schema["properties"]) == list(found)
    assert schema["required"] == [n for n, one in found.items() if one.default is empty]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["path"]["type"] == "string"
    assert get_type_hints(method)["path"] is str


def test_the_system_prompt_asks_for_opened_and_cited_files() -> None:
    assert 50 <= len(SYSTEM.split()) <= 75
    assert "Open files before you answer" in SYSTEM
    assert "Cite each file" in SYSTEM
