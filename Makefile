# Everything works from a fresh clone: each target first calls run.py, which sets up what is missing and
# otherwise returns at once.

PYTHON ?= python3
PY := .venv/bin/python
# More for pytest, as in: make test ARGS="tests/plumbing -x"
ARGS ?=

.PHONY: run setup dev browser test test-long lint format bench shots

run:
	@$(PYTHON) run.py

setup:
	@$(PYTHON) run.py --setup-only

dev:
	@$(PYTHON) run.py --setup-only --dev

test: dev browser
	$(PY) -m pytest -n 2 -m "not long" $(ARGS)

test-long: dev browser
	$(PY) -m pytest -n 2 -m long $(ARGS)

lint: dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	find templates -name '*.html' -exec .venv/bin/djade --check --target-version 5.2 {} +
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py check
	HTTPS=on $(PY) manage.py check --deploy --fail-level WARNING

format: dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	find templates -name '*.html' -exec .venv/bin/djade --target-version 5.2 {} +

bench: dev
	@$(PY) -m bench

shots: dev browser
	$(PY) -m tools.shots

# The system's Chromium, as Playwright's own download is no part of any distribution; msgfmt for the catalogues.
# Where it cannot be installed the tests that need it are skipped, and say so.
browser:
	@if command -v chromium >/dev/null && command -v msgfmt >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium fonts-dejavu-core gettext; } \
		|| echo "Chromium or gettext could not be installed; tests that need them are skipped."; \
	else echo "Chromium or gettext is missing; tests that need them are skipped."; fi
