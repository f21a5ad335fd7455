# `make test` needs Python 3.11 or later, git and make; it sets everything else up.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: test bench lock clean

test: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

bench: .venv/ready
	$(BIN)/python -m pytest tests/benchmarks -n 0 -q -p no:randomly

# The versions the tests run with, hashes included, for every system.
lock: .venv/ready
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes \
	  --python-version 3.11 --all-extras --no-header -q -o requirements.txt

clean:
	rm -rf .venv

.venv/ready: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Loop Lab needs Python 3.11 or later; run make PYTHON=python3.12, say.")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@
