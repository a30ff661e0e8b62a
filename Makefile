# Two commands do everything on a fresh machine: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?=
JOBS ?= 6

# Six processes for two cores: tests of pages wait for pages, the disk and sockets for more than half of their time.
# All at the lowest priority: a server's helpers lower their own, and would starve beside six busy test processes.
# COST=1 says which tests cost how much of the processor.
PYTEST = nice -n 19 $(if $(COST),env PYTHONPATH=tests) $(BIN)/pytest -n $(JOBS) $(if $(COST),-p cost)

# Each test process would otherwise compile all that it imports anew, where the environment asks for that.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: wheel setup setup-study setup-dev play check lint lint-web messages format format-web test test-plain test-all test-servers test-browser compiled coverage docs study data bench chaos lesson lock audit release shots films icons clean

setup: $(VENV)/.base

setup-dev: $(VENV)/.dev

# The environment, with pip alone.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot make virtual environments: install its venv package first (Debian: apt install python3-venv)." >&2; exit 1; }
	@[ -w . ] || { echo "You may not write into this folder. Copy the sources into one of your own." >&2; exit 1; }
	@echo "Setting up $(VENV): about a minute, once, with the network …"
	@$(PYTHON) -m venv $(VENV)

# pip brings uv. Where uv cannot be had or reaches no index, as behind a proxy with a certificate of its own, pip installs
# from the same locked files.
PIP = $(BIN)/python -m pip --disable-pip-version-check install -qq
UV = [ -x $(BIN)/uv ] && $(BIN)/uv pip install --quiet --python $(BIN)/python

define install
	@[ -x $(BIN)/uv ] || $(PIP) --retries 1 uv 2>/dev/null || echo "uv cannot be installed here, pip does it alone" >&2
	@$(UV) --no-deps --require-hashes $(1:%=-r %) 2>/dev/null || $(PIP) --no-deps --require-hashes $(1:%=-r %) \
	  || { echo "The packages could not be installed. This needs the network once: try again when it is there." >&2; exit 1; }
	@$(UV) --no-deps --no-build-isolation -e . 2>/dev/null || $(PIP) --no-deps --no-build-isolation -e .
endef

$(VENV)/.base: requirements/base.txt requirements/build.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/base.txt requirements/build.txt)
	@touch $@

# With what compiles bots and solvers, 320 MB more: full strength at the table, simulations and studies.
setup-study: $(VENV)/.study

$(VENV)/.study: requirements/study.txt requirements/build.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/study.txt requirements/build.txt)
	@touch $@ $(VENV)/.base

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/dev.txt)
	@touch $@ $(VENV)/.base $(VENV)/.study

play: setup
	@$(BIN)/spieltisch serve $(if $(PORT),--port $(PORT))

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ty check
	$(BIN)/lint-imports
	@$(BIN)/python tools/prose.py --check
	@! LC_ALL=C.UTF-8 grep -rnE --include='*.html' '^.{161,}' src

# What formats style sheets and scripts comes by npm. Templates are broken by hand.
PRETTIER := tools/format/node_modules/.bin/prettier

$(PRETTIER): tools/format/package-lock.json
	@command -v npm >/dev/null || { echo "npm is needed to format style sheets and scripts (Debian: apt install npm)." >&2; exit 1; }
	@npm ci --prefix tools/format --silent --no-audit --no-fund --ignore-scripts
	@touch $@

format: format-web
	$(BIN)/ruff format .

format-web: setup-dev $(PRETTIER)
	$(PRETTIER) --log-level warn --write 'src/**/*.{css,js}' >/dev/null

lint-web: setup-dev $(PRETTIER)
	$(PRETTIER) --log-level warn --check 'src/**/*.{css,js}'

# The messages in the code into the catalogues: says what is to be translated, or nothing.
messages: setup-dev
	@$(BIN)/python tools/messages.py

# While one writes: the linters, and rules, laws, records and decks without what takes long.
check: JOBS = 2
check: lint
	$(PYTEST) -m "not slow and not whole" tests/games tests/laws tests/records tests/playthroughs tests/decks tests/test_dice.py tests/test_record.py

# Tables, bots, pages and sockets, without a browser.
test-servers: compiled
	@sh tools/programs.sh
	$(PYTEST) tests/table tests/web tests/leaks tests/servers

test-browser: compiled
	@sh tools/programs.sh
	$(PYTEST) tests/browser

# What would otherwise be compiled beside the tests, by a server's process that leaves the processor to all others.
compiled: $(VENV)/.read
	@$(BIN)/spieltisch warm

# What tests import is compiled by one process, not by six at the same time. (What cannot be collected they will say.)
$(VENV)/.read: $(VENV)/.dev
	@$(BIN)/pytest --collect-only -qq >/dev/null || :
	@touch $@

# Everything, as before it lands.
test: setup-dev
	@$(MAKE) --no-print-directory --jobs=2 lint compiled
	@sh tools/programs.sh $(PROGRAMS)
	$(PYTEST) $(WHICH)

# What thinks in plain Python where the engines are missing; in `make test` it is held against them.
test-plain: setup-dev
	SPIELTISCH_ENGINES=plain $(PYTEST) tests/games/adaman tests/games/hichaechoc tests/library tests/web/test_hints.py tests/web/test_review.py

# Everything, and all of each matrix of which `make test` holds one of each kind.
test-all: WHICH = -m ""
test-all: PROGRAMS = whole
test-all: test

# The pages under docs/ and the docstrings as a site: open build/docs/index.html. Built anew each time, since pages that
# have not changed would not repeat their warnings.
docs: setup-dev
	$(BIN)/sphinx-build -q -E -a -W --keep-going -d build/doctrees docs build/docs

# How much of the product the tests run through, in this process and without a browser: never less than today.
coverage: setup-dev
	$(PYTEST) --ignore tests/browser --cov --cov-report=term:skip-covered

# The gates of PettingZoo, Gymnasium and OpenSpiel, whole; a short run of them is in the tests.
study: setup-dev
	PYTHONPATH=tests $(BIN)/python -m study.gates >/dev/null

bench: setup-dev
	@! command -v npm >/dev/null || npm ci --prefix bench/peer --silent --no-audit --no-fund --ignore-scripts || echo "boardgame.io cannot be installed here: no peer" >&2
	$(BIN)/python bench/run.py

# Real servers that fail, and a judge of what people saw: docs/scale.md. MINUTES in all, shared among the ways to keep
# tables; starting, judging and the planted faults come on top.
MINUTES ?= 5
chaos: setup-dev
	PYTHONPATH=tests $(BIN)/python -m chaos --minutes $(MINUTES)

# A whole lesson with 28 pupils, who drop out, load anew or take another phone 280 times; a stop of the server in between.
# Six phones, who leads the class and the wall are real browsers.
lesson: setup-dev
	cd tests && ../$(BIN)/python -m lesson 28 280 --browsers 6

# Litestar asks for these, and the server never imports them: tests' data, another client, its own command line.
UNUSED := certifi faker httpcore httpx litestar-htmx polyfactory rich-click

# The package as it is installed, and beside it the versions that it was tested with.
wheel: setup
	$(BIN)/python -m hatchling build -t wheel
	cd tools && ../$(BIN)/python -c 'import release; print(release.constraints(open("../requirements/study.txt").read()), end="")' > ../dist/constraints.txt

# All tests and the audit, then the files of a release; it says what to push, and pushes nothing.
release: setup-dev
	@$(MAKE) --no-print-directory test audit docs
	$(BIN)/python tools/release.py

# The locked requirements, with hashes and without any registry's address: what runs, the same with what thinks at full
# strength, what builds, what makers use, and the bill of materials of what runs.
lock: setup-dev
	set -e; compile() { $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" "$$@"; }; \
	compile requirements/build.in -o requirements/build.txt; \
	served="--extra postgres --extra print --extra serve pyproject.toml requirements/base.in"; \
	compile $$served $(UNUSED:%=--no-emit-package %) -o requirements/base.txt; \
	compile --constraints requirements/base.txt --extra serve pyproject.toml requirements/base.in \
	  $(UNUSED:%=--no-emit-package %) -o requirements/serve.txt; \
	compile --extra study $$served $(UNUSED:%=--no-emit-package %) -o requirements/study.txt; \
	compile --extra all --extra environments pyproject.toml requirements/dev.in -o requirements/dev.txt; \
	compile requirements/audit.in -o requirements/audit.txt; \
	compile requirements/croissant.in -o requirements/croissant.txt
	@$(MAKE) --no-print-directory setup-dev
	$(BIN)/python tools/sbom.py requirements/study.txt requirements/spieltisch.cdx.json

# Is a locked package known to be vulnerable? This asks a register, so it needs the network.
audit: build/audit/.done
	@build/audit/bin/python tools/audit.py requirements/base.txt requirements/study.txt requirements/build.txt requirements/dev.txt

build/audit/.done: requirements/audit.txt
	@$(PYTHON) -m venv build/audit
	@build/audit/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

# The data sets to publish, in build/data, and whether mlcroissant reads them by their metadata. URL=… names the place.
data: setup-dev build/croissant/.done
	$(BIN)/spieltisch study data --to build/data --known docs/answers/decks/basic.txt $(if $(URL),--url $(URL))
	build/croissant/bin/python tools/croissant.py build/data/*

build/croissant/.done: requirements/croissant.txt
	@$(PYTHON) -m venv build/croissant
	@build/croissant/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

shots: setup-dev
	$(BIN)/python tools/shots.py

films: setup-dev
	$(BIN)/python tools/films

# The icons of a home screen, from the one drawing.
icons: setup-dev
	$(BIN)/python tools/icons.py

clean:
	rm -rf $(VENV) .coverage .pytest_cache .ruff_cache .hypothesis build dist tools/format/node_modules
