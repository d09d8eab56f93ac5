# make run    a first run: offline, no key; ends with a table of refusal rates and a report.html
# make serve  the web app with runs of the control models
# make test   the tests, except the slow ones and those in a browser; make test-all has them all
# make coverage  the tests of make test, with the lines and branches of mossbench that they leave out
# make goldens  writes tests/goldens again, after a change of output that is meant; look at git diff
# make browser  only the tests that open pages in Chromium
# make check  formatting, lint, types
# make test-local    tests of local models, in .venv-local with the extra [local]
# make test-inspect  tests with Inspect, in .venv-inspect with the oldest version that pyproject.toml allows
# make test-ray      tests on a Ray cluster of this machine, in .venv-ray with the extra [ray]
# make test-projects  tests of studio/ and judge-training/, projects of their own, where their files have changed
# make bench  what the program itself costs: start-up, asking, large runs, web pages; takes long
# make bench-quick  the main figures in two minutes, as ratios; writes them into docs/performance.md
# make docs   the pages of docs/ as a site in site/, with search; opens without a server and without a network
# make screenshots  the images of the pages, made again from runs of control models; needs Chromium
# make dist   the archives of a release, checked; make audit looks for known faults of what the core brings
# make install EXTRAS=openai  what some models need
#
# Everything is installed into .venv, with uv where it is there and with pip where it is not.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
UV := $(shell command -v uv 2>/dev/null)
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
INSTALL := $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check)

# Hundreds of tests start a process: what it imports is compiled once, also where the environment says otherwise.
export PYTHONDONTWRITEBYTECODE :=

# A file's tests in one worker, which makes what they share once; tests/conftest.py puts the longest files first.
SIDE_BY_SIDE := -n auto --dist loadfile --no-loadscope-reorder

.PHONY: run serve test test-all coverage goldens bench bench-quick browser test-local test-inspect test-ray test-projects check format docs screenshots sketches dist audit install clean
.DELETE_ON_ERROR:

run: .venv/installed
	@$(BIN)/python -m mossbench run

serve: .venv/installed
	@$(BIN)/python -m mossbench serve --demo $(ARGS)

# make install EXTRAS=openai,parquet
install: .venv/installed
	@$(INSTALL) -e '.$(if $(EXTRAS),[$(EXTRAS)])'

test: .venv/installed-test
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow and not browser" --hypothesis-profile quick $(or $(ARGS),tests)

# With ARGS only what they name.
test-all: .venv/installed-test
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(ARGS)
	@$(if $(ARGS),,$(MAKE) --no-print-directory test-projects)

coverage: .venv/installed-test
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow and not browser" tests --cov --cov-report=term-missing $(ARGS)

goldens: .venv/installed-test
	@$(BIN)/python -m pytest tests/goldens --renew-goldens -q $(ARGS)

browser: .venv/installed-test
	@$(BIN)/python -m pytest -m browser $(ARGS)

test-local: .venv-local/installed
	@.venv-local/bin/python -m pytest tests/local $(ARGS)

test-inspect: .venv-inspect/installed
	@.venv-inspect/bin/python -m pytest tests/inspect $(ARGS)

test-ray: .venv-ray/installed
	@.venv-ray/bin/python -m pytest tests/cluster $(ARGS)

# Each has an environment of its own. `make -C studio test` and `make -C judge-training test` run them in any case.
test-projects:
	@$(MAKE) --no-print-directory -C studio test-if-changed PYTHON="$(PYTHON)"
	@$(MAKE) --no-print-directory -C judge-training test-if-changed PYTHON="$(PYTHON)"

STYLES_AND_SCRIPTS := src/mossbench/look/styles src/mossbench/look/scripts

check: .venv/installed-test
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m ruff check .
	@$(BIN)/oxfmt --check $(STYLES_AND_SCRIPTS)
	@$(BIN)/python -m mypy

format: .venv/installed-test
	@$(BIN)/python -m ruff format .
	@$(BIN)/python -m ruff check --fix .
	@$(BIN)/oxfmt $(STYLES_AND_SCRIPTS)

# One table after another; one that misses its limits says so, and the others still run.
bench: .venv/installed-test
	@for one in startup harness scale "web twenty" "web many" "web large" "judges bench/blind.jsonl"; do \
	set -- $$one; file=$$1; shift; echo "== bench/$$file.py $$*"; $(BIN)/python bench/$$file.py $$* || echo "   (a limit was missed, or it failed)"; done

bench-quick: .venv/installed-test
	@$(BIN)/python bench/quick.py --write docs/performance.md

# Strict: a link that leads nowhere ends it.
docs: .venv/installed-docs
	@$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs site
	@echo "open site/index.html"

screenshots: .venv/installed-test
	@$(BIN)/python docs/screenshots.py $(ARGS)

sketches:
	@$(MAKE) --no-print-directory -C studio sketches PYTHON="$(PYTHON)"

# The archives as they are published, checked: what is in the wheel, and that an index can show the README.
dist: .venv-dist/installed
	@rm -rf dist && .venv-dist/bin/python -m build --outdir dist .
	@.venv-dist/bin/check-wheel-contents dist/*.whl
	@.venv-dist/bin/twine check --strict dist/*

# Known faults of what the core brings; asks the advisory database on the network.
audit: .venv-dist/installed
	@.venv-dist/bin/pip-audit .

clean:
	rm -rf .venv .venv-local .venv-inspect .venv-ray .venv-dist studio/.venv judge-training/.venv

# The stamps are older than pyproject.toml only after it changed: nothing is reinstalled in between.
.venv/installed: pyproject.toml .venv/python-ok
	@echo "installing mossbench into .venv …"
	@$(INSTALL) -e .
	@touch $@

.venv/installed-test: pyproject.toml .venv/python-ok
	@echo "installing mossbench and its test tools into .venv …"
	@$(INSTALL) -e '.[test]'
	@touch $@ .venv/installed

.venv/installed-docs: pyproject.toml .venv/python-ok
	@echo "installing mossbench and what builds its docs into .venv …"
	@$(INSTALL) -e '.[docs]'
	@touch $@ .venv/installed

# With pip, not uv: pip may be told of a CPU build of torch (extra-index-url, find-links), a tenth of the size of the others.
.venv-local/installed: pyproject.toml
	@rm -rf .venv-local && "$(PYTHON)" -m venv .venv-local
	@torch=$$(.venv-local/bin/python -m pip index versions torch 2>/dev/null | tr -d ' ' | tr ',' '\n' | grep -m 1 '+cpu$$'); \
	if test -n "$$torch"; then echo "pip knows a CPU build of torch: installing mossbench[local] with torch $$torch into .venv-local …"; \
	else echo "pip knows no CPU build of torch: installing mossbench[local] into .venv-local, several gigabytes …"; fi; \
	.venv-local/bin/python -m pip install --quiet --disable-pip-version-check "torch$${torch:+==$$torch}" -e '.[local]' pytest
	@touch $@

OLDEST_INSPECT := $(shell sed -n 's/^inspect = \["inspect-ai>=\([0-9.]*\)".*/\1/p' pyproject.toml)
.venv-inspect/installed: pyproject.toml
	@echo "installing mossbench with inspect-ai $(OLDEST_INSPECT) into .venv-inspect …"
	@rm -rf .venv-inspect && $(if $(UV),$(UV) venv --quiet --python "$(PYTHON)" .venv-inspect,"$(PYTHON)" -m venv .venv-inspect)
	@$(subst $(BIN),.venv-inspect/bin,$(INSTALL)) -e '.[inspect,openai,pandas]' "inspect-ai==$(OLDEST_INSPECT)" pytest pytest-xdist
	@touch $@

.venv-ray/installed: pyproject.toml
	@echo "installing mossbench[ray] into .venv-ray …"
	@rm -rf .venv-ray && $(if $(UV),$(UV) venv --quiet --python "$(PYTHON)" .venv-ray,"$(PYTHON)" -m venv .venv-ray)
	@$(subst $(BIN),.venv-ray/bin,$(INSTALL)) -e '.[ray]' pytest
	@touch $@

.venv-dist/installed:
	@rm -rf .venv-dist && "$(PYTHON)" -m venv .venv-dist
	@.venv-dist/bin/python -m pip install --quiet --disable-pip-version-check build twine check-wheel-contents pip-audit
	@touch $@

# A .venv whose interpreter has gone, or that was made in another folder, is made anew.
.venv/python-ok: $(if $(shell $(BIN)/python -c '' 2>/dev/null && grep -qxF "$(CURDIR)" .venv/python-ok 2>/dev/null && echo ok),,FORCE)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "mossbench needs Python 3.11 or newer; install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@test -n "$(UV)" || "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { echo "this Python has no venv module; install it (Debian, Ubuntu: apt-get install python3-venv) or install uv"; exit 1; }
	@rm -rf .venv
	@$(if $(UV),$(UV) venv --quiet --python "$(PYTHON)" .venv,"$(PYTHON)" -m venv .venv)
	@echo "$(CURDIR)" > $@

FORCE:
.PHONY: FORCE
