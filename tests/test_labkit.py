"""The package's own face."""

import subprocess
import sys

import labkit
from labkit import agent


def test_every_exported_name_is_there() -> None:
    assert [name for name in labkit.__all__ if not hasattr(labkit, name)] == []


def test_the_agents_names_are_all_exported() -> None:
    assert set(agent.__all__) <= set(labkit.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(labkit, "nonsense")


def test_importing_labkit_imports_neither_openai_nor_a_process_module() -> None:
    code = (
        "import sys, labkit; "
        "print([m for m in ('openai', 'resource', 'fcntl', 'subprocess', 'typer') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
