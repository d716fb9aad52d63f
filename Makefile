# make demo, make test: on a fresh machine, with Python 3.11 or newer and nothing else. CONTRIBUTING.md tells more.

VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml README.md $(shell find src -type f -not -name '*.pyc')

# Another interpreter: make test PYTHON=python3.12
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# On Linux, PyPI's torch brings gigabytes of CUDA: the CPU build is taken from this index if pip finds none before.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
TORCH := $(shell sed -n 's/^torch==//p' constraints.txt)

PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet -c constraints.txt

# `make demo` needs the package alone; once the tools are there too, they serve both.
INSTALLED := $(if $(wildcard $(VENV)/dev.stamp),$(VENV)/dev.stamp,$(VENV)/core.stamp)

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench clean

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST) | while IFS='	' read -r name text; do printf 'make %-8s %s\n' "$$name" "$$text"; done

demo: $(INSTALLED)  ## Restore a recogniser's words: to text, SRT and WebVTT in out/
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/dev.stamp  ## Run every test (a part: make test ARGS="tests/formats -x")
	$(BIN)/pytest $(ARGS)

check: $(VENV)/dev.stamp  ## Style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev.stamp  ## Lay the code out, and mend what can be mended by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.stamp  ## Measure speed and memory beside other libraries (nothing else should run meanwhile)
	$(BIN)/python -m bench $(ARGS)

clean:  ## Remove everything that was made here, runs/ excepted
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@test -n "$(PYTHON)" || { echo "interpunct needs Python 3.11 or newer, and none is on the PATH: install one, or name it with PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "interpunct needs Python 3.11 or newer, which $(PYTHON) is not" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment: on Debian and Ubuntu, apt-get install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/core.stamp: $(VENV)/made.stamp $(SOURCES)
	@echo "Installing interpunct into $(VENV)"
	@$(INSTALL) .
	@touch $@

# The sources are used where they lie, so that only a change of dependencies asks for a new installation.
$(VENV)/dev.stamp: $(VENV)/torch.stamp pyproject.toml constraints.txt
	@echo "Installing interpunct and the tools into $(VENV)"
	@$(INSTALL) --editable '.[dev]'
	@touch $@

$(VENV)/bench.stamp: $(VENV)/dev.stamp
	@echo "Installing what interpunct is measured against into $(VENV)"
	@$(INSTALL) --editable '.[dev,bench]'
	@touch $@

# First where pip looks anyway (a local file, a mirror), then on PyTorch's own index, at last PyPI's build for any machine.
$(VENV)/torch.stamp: $(VENV)/made.stamp constraints.txt
	@echo "Installing torch $(TORCH) into $(VENV)"
	@if [ "$$(uname -s)" != Linux ]; then $(INSTALL) torch; \
	elif $(INSTALL) 'torch==$(TORCH)+cpu' 2>/dev/null; then :; \
	elif $(INSTALL) --retries 1 --timeout 15 --extra-index-url '$(TORCH_INDEX)' 'torch==$(TORCH)+cpu' 2>/dev/null; then :; \
	else echo "No CPU build of torch $(TORCH) at '$(TORCH_INDEX)': taking PyPI's, which may be large; to name another place: make test TORCH_INDEX=URL" >&2; \
		$(INSTALL) torch; fi
	@touch $@
