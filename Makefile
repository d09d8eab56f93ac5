# make run    a first run: offline, no key; ends with a table of refusal rates and a report.html
# make test   all tests
# make browser  only the tests that open pages in Chromium
# make check  formatting, lint, types
# make install EXTRAS=openai  what some models need
#
# Everything is installed into .venv, with uv where it is there and with pip where it is not.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
UV := $(shell command -v uv 2>/dev/null)
BIN := .venv/bin
INSTALL := $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check)

.PHONY: run test browser check format sketches install clean
.DELETE_ON_ERROR:

run: .venv/installed
	@$(BIN)/python -m mossbench run

# make install EXTRAS=openai,parquet
install: .venv/installed
	@$(INSTALL) -e '.$(if $(EXTRAS),[$(EXTRAS)])'

test: .venv/installed-test
	@$(BIN)/python -m pytest -n auto --dist loadgroup $(ARGS)

browser: .venv/installed-test
	@$(BIN)/python -m pytest -m browser $(ARGS)

check: .venv/installed-test
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m mypy

format: .venv/installed-test
	@$(BIN)/python -m ruff format .
	@$(BIN)/python -m ruff check --fix .

sketches: .venv/installed-test
	@$(BIN)/python -m mossbench.drawing src/mossbench/datasets/sketches_data

clean:
	rm -rf .venv

# The stamps are older than pyproject.toml only after it changed: nothing is reinstalled in between.
.venv/installed: pyproject.toml .venv/python-ok
	@echo "installing mossbench into .venv …"
	@$(INSTALL) -e .
	@touch $@

.venv/installed-test: pyproject.toml .venv/python-ok
	@echo "installing mossbench and its test tools into .venv …"
	@$(INSTALL) -e '.[test]'
	@touch $@ .venv/installed

# A .venv whose interpreter has gone, or that was made in another folder, is made anew.
.venv/python-ok: $(if $(shell $(BIN)/python -c '' 2>/dev/null && grep -qxF "$(CURDIR)" .venv/python-ok 2>/dev/null && echo ok),,FORCE)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "mossbench needs Python 3.11 or newer; install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@test -n "$(UV)" || "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { echo "this Python has no venv module; install it (Debian, Ubuntu: apt-get install python3-venv) or install uv"; exit 1; }
	@rm -rf .venv
	@$(if $(UV),$(UV) venv --quiet --python "$(PYTHON)" .venv,"$(PYTHON)" -m venv .venv)
	@echo "$(CURDIR)" > $@

FORCE:
.PHONY: FORCE
