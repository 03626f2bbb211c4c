# Everything people and CI do here. Each target makes what it needs; nothing is installed outside this folder but
# Chromium, and that only by root on Debian.

PYTHON := $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	command -v $$name >/dev/null 2>&1 || continue; \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
RUNTIME := .venv/.runtime
DEV := .venv/.dev
HERMES := .venv-hermes/.done
HERMES_VERSION := 0.19.0
PIP_FLAGS := --quiet --disable-pip-version-check
# Four at most: each worker may start a Chromium and a dashboard, and a container may not have the cores it sees.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist worksteal
COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-emit-trusted-host --no-emit-options --no-header --strip-extras --allow-unsafe

.PHONY: run test lint format check bench lock clean hermes browser python

run: $(RUNTIME)  ## the dashboard on your own home; ARGS="--port 9000" adds options
	@$(BIN)/python manage.py serve $(ARGS)

test: $(DEV) hermes browser  ## everything the tests need, then all tests, on up to four cores
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(ARGS)

lint: $(DEV)  ## style of code and templates
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint --quiet --lint templates

format: $(DEV)  ## put code into shape (templates are not: in some of them a line break would be seen)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: lint  ## lint, types, settings, migrations, documents
	$(BIN)/mypy
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && export MEMORYHUB_DATA_DIR="$$data" && \
		$(BIN)/python manage.py check --fail-level WARNING && \
		$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m pytest tests/test_docs.py tests/test_architecture.py

bench: $(DEV) hermes  ## how quick it is, beside the real Hermes dashboard
	$(BIN)/python -m tests.bench.run $(ARGS)

lock: $(DEV)  ## write both lock files anew
	$(COMPILE) --upgrade --output-file requirements.lock pyproject.toml
	$(COMPILE) --upgrade --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

clean:  ## remove what these targets made
	rm -rf .venv .venv-hermes build dist *.egg-info

python:
	@test -n "$(PYTHON)" || { echo "MemoryHub needs Python 3.11 or newer, and none was found on PATH." \
		"Install one (https://www.python.org/downloads/) and run make again." >&2; exit 1; }

.venv/bin/python: | python
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "The virtual environment could not be made." \
		"On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

$(RUNTIME): requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements.lock
	@touch $@

$(DEV): requirements.lock requirements-dev.lock pyproject.toml setup.py | .venv/bin/python
	$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps --no-build-isolation --editable .
	@touch $(RUNTIME) $@

hermes: $(DEV)  # the real agent, in an environment of its own: its pins clash with ours
	@test -e $(HERMES) || scripts/get-hermes "$(PYTHON)" $(HERMES_VERSION)

browser: $(DEV)  # a Chromium for the browser tests
	@scripts/get-chromium
