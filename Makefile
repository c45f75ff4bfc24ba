# Every target prepares its own environment: Python 3.11 with venv and pip is all a machine needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DATABASE ?= houseway.db
PORT     ?= 8000

.PHONY: run play test lint kernels prove mutants docs screens bench lock clean help

run: $(READY)            ## serve the floor: open the printed address and play
	@$(BIN)/houseway serve --demo --database $(DATABASE) --port $(PORT)

play: $(READY)           ## play at a table in the terminal
	@$(BIN)/houseway play

test: $(READY) $(VENV)/.browser  ## run everything that a change must pass
	@$(MAKE) --no-print-directory -j2 lint kernels
	@$(BIN)/python -m pytest -n auto --dist worksteal --prove-every 50

lint: $(READY)           ## check style, types, one-way imports, names, words, and code that only tests use
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m checks.unused
	@$(BIN)/python -m checks.names
	@$(BIN)/python -m checks.words

kernels: $(READY)        ## compile every kernel once, so that no process waits for it later
	@$(BIN)/houseway warmup >/dev/null

prove: $(READY) $(VENV)/.bench  ## run the exhaustive checks; an interrupted run continues
	@$(BIN)/python -m pytest -n auto --dist loadgroup --prove-clauses
	@$(BIN)/python -m pytest -m "exhaustive and not parted" -n auto --dist worksteal
	@$(BIN)/python -m pytest -m parted
	@$(BIN)/houseway prove
	@$(BIN)/python -m benchmarks long_history

mutants: $(READY)        ## make small mistakes on purpose, and print those that no test notices
	@$(BIN)/python -m mutants rules
	@$(BIN)/python -m mutants floor --count 300

docs: $(READY)           ## write the generated parts of the documents and the catalogue of words
	@$(BIN)/python docs/generate.py
	@$(BIN)/python -m tests.scenarios.permissions
	@$(BIN)/python -m tests.rounds.law_tables.irregularities

screens: $(READY) $(VENV)/.browser  ## take pictures of every screen into docs/screens
	@$(BIN)/python -m tests.web.browser.screens

bench: $(READY) $(VENV)/.bench  ## measure performance, compared with named peers
	@$(BIN)/python -m benchmarks

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

lock: $(READY)           ## compile the hashed locks from pyproject.toml
	@$(LOCK) --extra dev --extra cluster --output-file requirements/lock.txt pyproject.toml
	@$(LOCK) --extra bench --constraint requirements/lock.txt --output-file requirements/bench.txt pyproject.toml

$(VENV)/.bench: requirements/bench.txt
	@echo "installing the benchmark's peers (once)"
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/.browser: $(READY)  ## chromium for the browser tests, installed where that is allowed
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  echo "installing chromium for the browser tests (once)"; \
	  { apt-get update && apt-get install --yes --no-install-recommends chromium fonts-inter; } >/dev/null 2>&1; } \
	  || echo "no chromium, and it cannot be installed here: the browser tests are skipped"
	@touch $@

help:                    ## list these targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "%-10s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

clean:                   ## remove the environment and every cache
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .mutants

$(READY): requirements/lock.txt pyproject.toml
	@echo "preparing $(VENV) (once)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "houseway needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/lock.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
