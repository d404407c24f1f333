# Everything works from a fresh clone: each target first calls run.py, which sets up what is missing and
# otherwise returns at once.

PYTHON ?= python3
PY := .venv/bin/python
# More for pytest, as in: make test ARGS="tests/plumbing -x"
ARGS ?=

.PHONY: run setup dev browser demo test test-long lint format messages bench shots audit

run:
	@$(PYTHON) run.py

setup:
	@$(PYTHON) run.py --setup-only

dev:
	@$(PYTHON) run.py --setup-only --dev

demo: setup
	@$(PY) manage.py migrate --no-input --verbosity=0
	@$(PY) manage.py demo

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

# What is said in the code, brought into the catalogues in companion/locale; needs gettext.
messages: dev browser
	$(PY) manage.py makemessages --all

bench: dev browser
	@$(PY) -m bench $(ARGS)

shots: dev browser
	$(PY) -m tools.shots $(ARGS)

# Whether anybody knows of a hole in what is pinned. It asks services outside, so it is no part of the tests.
audit: dev
	@$(PY) -m tools.audit

# The system's Chromium, as Playwright's own download is no part of any distribution; msgfmt for the catalogues;
# nginx for deploy/nginx.conf. Where one cannot be installed the tests that need it are skipped, and say so.
browser:
	@if command -v chromium >/dev/null && command -v msgfmt >/dev/null && [ -x /usr/sbin/nginx ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium fonts-dejavu-core gettext nginx-light; } \
		|| echo "Chromium, gettext or nginx could not be installed; tests that need them are skipped."; \
	else echo "Chromium, gettext or nginx is missing; tests that need them are skipped."; fi
