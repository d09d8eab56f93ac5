# What the Makefiles of studio/ and judge-training/ share. They set NAME (the folder) and FILES (files and folders that count).
#
# make test             types and tests; when all of it has passed, tested.sha256 says with which files
# make test-if-changed  the same, unless it has passed with the files as they are
# make install          .venv of this folder, with mossbench, this project and its test tools
# make clean            removes .venv

PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
DIGEST := "$(PYTHON)" ../.ci/digest.py $(FILES)

# Tests start processes: what these import is compiled once, also where the environment says otherwise.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: install test test-if-changed clean

install: .venv/installed

# The hash is taken before the tests: what is edited meanwhile was not tested. A part of the tests (ARGS) records nothing.
test: .venv/installed
	@before=$$($(DIGEST)) || exit 1; \
	$(BIN)/python -m mypy || exit 1; \
	$(BIN)/python -m pytest $(ARGS) || exit 1; \
	$(if $(ARGS),:,echo "$$before" > tested.sha256)

test-if-changed:
	@now=$$($(DIGEST)) || exit 1; \
	if test "$$now" = "$$(cat tested.sha256 2>/dev/null)"; \
	then echo "left out: make -C $(NAME) test, since it passed with the files that are there now"; \
	else $(MAKE) --no-print-directory test ARGS=; fi

clean:
	rm -rf .venv

# Made anew after a change of a pyproject.toml, and in a checkout that was copied: it would import the other one's files.
.venv/installed: pyproject.toml ../pyproject.toml $(if $(shell grep -xF "$(CURDIR)" .venv/installed 2>/dev/null),,FORCE)
	@echo "installing mossbench and $(NAME) into $(NAME)/.venv …"
	@rm -rf .venv && "$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .. -e '.[test]'
	@echo "$(CURDIR)" > $@

FORCE:
.PHONY: FORCE
