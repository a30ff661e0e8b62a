# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?=

.PHONY: setup setup-dev play test lint bench lock shots clean

setup: $(VENV)/.base

setup-dev: $(VENV)/.dev

# The environment: pip brings uv; where uv cannot be had, pip installs from the same locked files.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot make virtual environments: install its venv package first (Debian: apt install python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null || echo "uv cannot be installed here, pip does it alone" >&2

define install
	@if [ -x $(BIN)/uv ]; then $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1); fi
	@if [ -x $(BIN)/uv ]; then $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; fi
endef

$(VENV)/.base: requirements/base.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/base.txt)
	@$(BIN)/python -m spieltisch.games.hichaechoc.ready || echo "nothing could be compiled: some bots will think slowly at first" >&2
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/dev.txt)
	@touch $@ $(VENV)/.base

play: setup
	@$(BIN)/spieltisch serve $(if $(PORT),--port $(PORT))

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ty check
	$(BIN)/lint-imports

test: lint
	@sh tools/chromium.sh
	$(BIN)/pytest -n 2 --dist loadfile

bench: setup-dev
	@! command -v npm >/dev/null || npm ci --prefix bench/peer --silent --no-audit --no-fund --ignore-scripts || echo "boardgame.io cannot be installed here: no peer" >&2
	$(BIN)/python bench/run.py

# The locked requirements, with hashes and without any registry's address.
lock: setup-dev
	for name in base dev; do $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" \
	  --extra all pyproject.toml requirements/$$name.in -o requirements/$$name.txt; done

shots: setup-dev
	$(BIN)/python tools/shots.py

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis build dist
