# `make try` and `make test` are all the set-up there is: each makes what it needs in .venv first.
# The environment is brought up to date only when pyproject.toml or the Python changes.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
KEY := $(shell $(PYTHON) -c 'import hashlib, pathlib, sys; \
	print(hashlib.sha256(sys.version.encode() + pathlib.Path("pyproject.toml").read_bytes()).hexdigest()[:16])' 2>/dev/null)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What is told of pip's progress.
TOLD := /^Collecting/ { split($$2, name, /[^A-Za-z0-9._-]/); print "  Getting " name[1] "." } /^Building wheels/ { print "  Building Damero." } \
  /^Installing collected/ { print "  Installing all of it." } /^Successfully installed/ { print "  Done." }
LOCKED := -m pip --disable-pip-version-check --quiet install --require-hashes --requirement

# A process of tests waits for a third of its time: for a disk, a database, a process of its own.
WORKERS := 4
# Tests of one group, which share what takes long to make, are run by one process.
PARALLEL = $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

.PHONY: try test test-postgres test-fast extras check lint types docker-lint package lock texts bench setup clean

try: $(VENV)/.try-$(KEY)
	@$(BIN)/damero try $(ARGS)

test: $(VENV)/.test-$(KEY)
	$(PARALLEL) $(ARGS)

# What stands on the database on a PostgreSQL (tests/data is always); ARGS=tests/acceptance for all of these.
test-postgres: $(VENV)/.test-$(KEY)
	DAMERO_TEST_DATABASE=postgresql $(PARALLEL) \
	  $(or $(ARGS),$(ON_POSTGRESQL) $(NO_DATABASE:%=--deselect=%))

ON_POSTGRESQL := tests/games tests/study tests/tournaments tests/background tests/acceptance/test_restart.py \
  tests/acceptance/games/test_whole_games.py tests/acceptance/games/test_time.py tests/acceptance/privacy \
  tests/acceptance/tournaments/test_swiss.py tests/acceptance/competitions
# Mathematics and values, which are the same on any database, and games that are stored as others are.
NO_DATABASE := tests/games/model tests/study/test_lessons.py tests/study/test_puzzle_books.py \
  tests/study/test_shipped.py::test_shipped_puzzles_hold \
  $(addprefix tests/tournaments/,analysis files model pairing standings) \
  $(addprefix tests/acceptance/games/test_whole_games.py::,test_a_game_of_the_wider_family test_a_whole_game_in_plain_text)

# What is skipped without the extras: the compiled search against the plain one, endings of four pieces, tools that learn
# weights, and a cluster with a killed worker. Each process compiles for a while, so there are few.
test-fast: $(VENV)/.fast-$(KEY)
	$(BIN)/python -m pytest -n 2 tests/computer/kernels/test_backends.py tests/computer/kernels/test_best_reply.py \
	  tests/computer/workers/test_dask_cluster.py tests/computer/endgames/test_lookup.py \
	  tests/computer/endgames/test_files.py tests/computer/endgames/test_outcomes.py \
	  tests/computer/endgames/test_conversions.py tests/computer/test_learned_weights.py $(ARGS)

extras: $(VENV)/.fast-$(KEY)

check: lint types docker-lint

lint: $(VENV)/.check-$(KEY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.check-$(KEY) $(VENV)/.test-$(KEY)
	$(BIN)/mypy

docker-lint: $(VENV)/.check-$(KEY)
	$(BIN)/hadolint --failure-threshold style Dockerfile

# What the Dockerfile does, without Docker: a wheel, alone in a fresh environment with the locked packages.
package: $(VENV)/.try-$(KEY)
	rm -rf build/package && mkdir -p build/package
	$(PYTHON) -m venv build/package/tools
	build/package/tools/bin/python $(LOCKED) deploy/build.lock
	build/package/tools/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir build/package .
	$(PYTHON) -m venv build/package/venv
	build/package/venv/bin/python $(LOCKED) deploy/requirements.lock
	build/package/venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps build/package/damero-*.whl
	cd build/package && venv/bin/damero --help >/dev/null && venv/bin/damero perft spanish 4

# The versions and hashes of all that the image is made of, from those in pyproject.toml.
LOCK := $(BIN)/uv --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: $(VENV)/.try-$(KEY)
	$(PIP) install --editable '.[lock]'
	$(LOCK) --extra fast --extra postgres --output-file deploy/requirements.lock pyproject.toml
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])' \
	  | $(LOCK) --output-file deploy/build.lock -

# Brings data/locales/*.po up to date with the sources.
texts: $(VENV)/.try-$(KEY)
	$(BIN)/python -m bot.cli.catalogues

# Peers get environments of their own in build/peers. strength.py plays for hours and is run by hand.
bench: $(VENV)/.test-$(KEY)
	@for name in engine pictures star search; do \
	  echo "== $$name"; $(BIN)/python benchmarks/$$name.py build/peers || exit 1; done
	@for name in start turn timers rows pairing; do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

# Everything a developer's editor wants in .venv, at one go, which is quicker than one after the other.
setup: $(VENV)/.python-$(KEY)
	@test -e $(VENV)/.try-$(KEY) -a -e $(VENV)/.test-$(KEY) -a -e $(VENV)/.check-$(KEY) || \
	  $(PIP) install --editable '.[try,test,check]'
	@touch $(VENV)/.try-$(KEY) $(VENV)/.test-$(KEY) $(VENV)/.check-$(KEY)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.python-$(KEY):
	@test -n "$(PYTHON)" || { echo "Damero needs Python 3.11 or newer; none was found." >&2; exit 1; }
	@echo "Preparing $(VENV) with $$($(PYTHON) --version)"
	@test -x $(BIN)/python && test "$$($(BIN)/python --version 2>/dev/null)" = "$$($(PYTHON) --version)" || \
	  { rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); } || \
	  { rm -rf $(VENV); echo "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; }
	@rm -f $(VENV)/.python-* $(VENV)/.try-* $(VENV)/.test-* $(VENV)/.check-* $(VENV)/.fast-*
	@touch $@

$(VENV)/.try-$(KEY): $(VENV)/.python-$(KEY)
	@echo "Installing Damero and what it needs. This takes about a minute, and is done once."
	@rm -f $(VENV)/.failed
	@{ $(BIN)/python -m pip --disable-pip-version-check install --progress-bar off --editable '.[try]' || \
	  touch $(VENV)/.failed; } | awk '$(TOLD) { fflush() }'
	@test ! -e $(VENV)/.failed || { echo "That did not work; what pip says is above." >&2; exit 1; }
	@touch $@

$(VENV)/.test-$(KEY): $(VENV)/.python-$(KEY)
	@echo "Installing what the tests need"
	@$(PIP) install --editable '.[test]'
	@touch $@

$(VENV)/.check-$(KEY): $(VENV)/.python-$(KEY)
	@echo "Installing what checks the style and the types"
	@$(PIP) install --editable '.[check]'
	@touch $@

$(VENV)/.fast-$(KEY): $(VENV)/.test-$(KEY)
	@echo "Installing the extras fast and cluster"
	@$(PIP) install --editable '.[fast,cluster]'
	@touch $@
