# Every target does its own set-up: a virtual environment in .venv, made with the newest Python from 3.10 to 3.13
# that is found. PYTHON=/path/to/python picks another; `make clean` starts afresh.
.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
PY := $(BIN)/python
PORT ?= 8000
HOST ?= 127.0.0.1

.PHONY: help setup setup-dev demo test test-slow check format lint types layers serve bench clean

help:  ## say what there is
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -e 's/:.*## /\t/' | expand -t 12

setup: .venv/.installed  ## install the environment, its server and the agents
setup-dev: .venv/.installed-dev

.venv/.installed: pyproject.toml scripts/setup_venv.sh scripts/install.py
	@sh scripts/setup_venv.sh server,llm
	@touch $@

.venv/.installed-dev: pyproject.toml scripts/setup_venv.sh scripts/install.py
	@sh scripts/setup_venv.sh server,llm,dev
	@touch .venv/.installed $@

demo: setup  ## serve, play every baseline over HTTP, print the score table
	@$(PY) -m customs_env.evaluation.demo

test: setup-dev  ## the fast tests
	@echo "running the fast tests (about three minutes on two cores)"
	@$(PY) -m pytest -q -m "not slow"

test-slow: setup-dev  ## the long tests: thousands of files, several interpreters
	@echo "running the long tests (about five minutes on two cores)"
	@$(PY) -m pytest -q -m slow

check: lint types layers test  ## format, lint, types, layers, tests

lint: setup-dev
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .

# mypy needs the folder under the package's name; the link lies outside the tracked files
types: setup-dev
	@mkdir -p .venv/typing && ln -sfn ../.. .venv/typing/customs_env
	@echo "checking types (about a minute the first time, then seconds)"
	@MYPYPATH=.venv/typing $(PY) -m mypy

layers: setup-dev
	@$(BIN)/lint-imports

format: setup-dev  ## put the code into its form
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

serve: setup  ## serve on HOST:PORT (127.0.0.1:8000)
	@$(BIN)/customs-env serve --host "$(HOST)" --port "$(PORT)"

bench: setup-dev  ## measure speed and memory
	@for script in benchmarks/*.py; do echo "== $$script"; $(PY) "$$script" || exit 1; done

clean:  ## remove all that the targets made
	@rm -rf .venv build dist outputs *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
