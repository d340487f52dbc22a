# Every target creates what it needs in .venv; nothing outside this folder is used.
PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# one more than processors: some tests wait for what they started, or for a limit to pass
WORKERS := $(shell expr $(JOBS) + 1)
# a file to a worker, in the order of tests/conftest.py
SHARED := --dist loadfile --no-loadscope-reorder --durations=20

# What every process of the tests would compile anew is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: audit audit-quick test quick lint bench docs notebooks lock advisories clean

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

audit: $(STAMP)  ## the audit: every claim, mechanism, fault and accountant, standard profile
	$(BIN)/auditor run --profile standard --jobs $(JOBS) --cache .auditor/cache --out audit-report
	@echo "report: $(CURDIR)/audit-report/report.html"

audit-quick: $(STAMP)  ## the audit at the quick profile
	$(BIN)/auditor run --profile quick --jobs $(JOBS) --cache .auditor/cache --out audit-report
	@echo "report: $(CURDIR)/audit-report/report.html"

quick: $(STAMP)  ## the tests of the quick loop
	$(BIN)/python -m pytest -m "not slow" -n $(JOBS) $(SHARED)

test: $(STAMP)  ## every test
	$(BIN)/python -m pytest -n $(WORKERS) $(SHARED)

lint: $(STAMP)  ## format, lint, types, import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)  ## speed, as ratios within one run
	$(BIN)/python -m pytest benchmarks -o python_files="test_*.py"

docs: notebooks  ## the documentation as a site; a warning is an error, and nothing is loaded
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build
	@echo "site: $(CURDIR)/docs/_build/index.html"

notebooks: $(STAMP)  ## execute the notebooks of the documentation
	set -e; for story in $(basename $(notdir $(wildcard auditor/front/notebooks/stories/*.py))); do \
		$(BIN)/auditor notebook $$story --execute --out .auditor/notebooks; done

lock: $(STAMP)  ## resolve requirements.lock again, with hashes (all extras, Python 3.11 to 3.13)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-header --no-annotate --generate-hashes \
		pyproject.toml -o requirements.lock

advisories: $(STAMP)  ## known vulnerabilities of what requirements.lock names; asks the package index about each
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit --strict --disable-pip --require-hashes --requirement requirements.lock

clean:
	rm -rf $(VENV) .auditor audit-report docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
