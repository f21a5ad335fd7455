# `make test` and `make lab` need Python 3.11 or later, git and make, and set up the rest.
PYTHON ?= python3
BIN := .venv/bin
IN_ORDER := -n 0 -p no:randomly

.PHONY: lab test test-grading test-site bench build site lock clean

lab: .venv/ready
	$(BIN)/labkit start

test: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/labkit dev build --check
	$(BIN)/python -m pytest
	LABKIT_DISPLAY=text $(BIN)/python -m pytest $(IN_ORDER) --nbval-lax notebooks/*.ipynb
	LABKIT_DISPLAY=text $(BIN)/python -m pytest $(IN_ORDER) --nbval notebooks/solved

test-grading: .venv/ready
	$(BIN)/python -m pytest -m grading tests/grading

# Builds the browser edition and works in it; needs npm, and the registries once.
test-site: .venv/ready
	$(BIN)/python -m pytest $(IN_ORDER) -m site tests/site

bench: .venv/ready
	$(BIN)/python -m pytest $(IN_ORDER) -q -m benchmark tests/benchmarks

build: .venv/ready
	$(BIN)/labkit dev build

site: .venv/ready
	rm -rf build/site
	$(BIN)/labkit dev site build/site

# The versions the tests run with, hashes included, for every system; and with the same
# ones what builds the browser edition, and what is shipped in it.
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --generate-hashes \
	  --python-version 3.11 --no-header -q
lock: .venv/ready
	$(COMPILE) --extra cluster --extra lab --extra report --extra test -o requirements.txt
	$(COMPILE) --extra site -c requirements.txt -o requirements-site.txt

clean:
	rm -rf .venv

.venv/ready: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Loop Lab needs Python 3.11 or later; run make PYTHON=python3.12, say.")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@
