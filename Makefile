# All targets work in a fresh clone: each first calls run.py, which installs what is missing and otherwise
# returns at once.

PYTHON ?= python3
PY := .venv/bin/python
# Additional arguments, for example: make test ARGS="tests/operations -x"
ARGS ?=

# worksteal gives each worker a contiguous block of tests, which share servers and browsers.
PYTEST := $(PY) -m pytest -n 2 --dist worksteal
# Tests that run a second time on PostgreSQL if a server is available: `make test` repeats those marked
# "database", `make test-long` the others. Without a connection pool, because its connections outlive a test.
ON_POSTGRES := tests/access tests/journal tests/tables tests/management tests/results tests/live tests/charts tests/report tests/statistics \
	tests/security tests/operations/test_fields.py tests/pages/test_fuzz.py
on_postgres = @if url=$$($(PY) -m tests.databases); then \
	DATABASE_URL=$$url DATABASE_POOL=0 $(PYTEST) $(ON_POSTGRES) -m $(1); fi

.PHONY: run setup dev browser demo test test-long lint format messages bench shots audit lock

run:
	@$(PYTHON) run.py

setup:
	@$(PYTHON) run.py --setup-only

dev:
	@$(PYTHON) run.py --setup-only --dev

demo: setup
	@$(PY) manage.py migrate --no-input --verbosity=0
	@$(PY) manage.py demo

# With ARGS, the run on PostgreSQL is skipped.
test: dev browser
	$(PYTEST) -m "not long" $(ARGS)
	$(if $(ARGS),,$(call on_postgres,"database and not long"))

test-long: dev browser
	$(PYTEST) -m long $(ARGS)
	$(if $(ARGS),,$(call on_postgres,"not database and not postgres and not long"))

lint: dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	$(PY) -m tools.private_api
	$(PY) -m tools.template_lines
	find templates -name '*.html' -exec .venv/bin/djade --check --target-version 5.2 {} +
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py check
	HTTPS=on $(PY) manage.py check --deploy --fail-level WARNING

format: dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	find templates -name '*.html' -exec .venv/bin/djade --target-version 5.2 {} +

# Extract translatable strings into the catalogues in companion/locale; needs gettext.
messages: dev browser
	$(PY) manage.py makemessages --all

bench: dev browser
	@$(PY) -m bench $(ARGS)

# Screenshots of every page; tools/shots/__init__.py describes ARGS.
shots: dev browser
	$(PY) -m tools.shots $(ARGS)

# Known security advisories for the pinned packages. It queries online services, so it is not part of the
# tests.
audit: dev
	@$(PY) -m tools.audit

# Compile the .in files to pinned versions with hashes, for all platforms. ARGS=--upgrade updates the packages
# that they do not pin.
LOCK := -m uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate \
	--custom-compile-command "make lock"
lock: dev
	$(PY) $(LOCK) $(ARGS) requirements.in -o requirements.txt
	$(PY) $(LOCK) $(ARGS) requirements-postgres.in -c requirements.txt -o requirements-postgres.txt
	$(PY) $(LOCK) $(ARGS) requirements-dev.in -c requirements.txt -c requirements-postgres.txt -o requirements-dev.txt
	$(PY) $(LOCK) $(ARGS) requirements-npm.in -o requirements-npm.txt
	$(PY) $(LOCK) $(ARGS) requirements-audit.in -o requirements-audit.txt

# Install the system's Chromium (instead of Playwright's download), msgfmt for the catalogues, and nginx for
# deploy/nginx.conf. If one cannot be installed, the tests that need it are skipped with a message.
browser:
	@if command -v chromium >/dev/null && command -v msgfmt >/dev/null && [ -x /usr/sbin/nginx ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium fonts-dejavu-core gettext nginx-light; } \
		|| echo "Chromium, gettext or nginx could not be installed; tests that need them are skipped."; \
	else echo "Chromium, gettext or nginx is missing; tests that need them are skipped."; fi
