"""The same tests on PostgreSQL, where one answers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests.databases import URL, why_no_postgres

ROOT = Path(__file__).parents[2]
# What a database decides: what it takes, what waits for what, who is told.
DECIDED_THERE = [
    "tests/tables/test_concurrency.py",
    "tests/tables/test_fields.py",
    "tests/tables/test_keys.py",
    "tests/tables/test_limits.py",
    "tests/tables/test_rows.py",
    "tests/tables/test_states.py",
    "tests/live",
]
EVERYTHING = ["tests/tables", "tests/live", "tests/statistics", "tests/security", "tests/views/test_fuzz.py"]


WHY_NOT = "runs on another database already" if connection.vendor != "sqlite" else why_no_postgres()

pytestmark = [pytest.mark.postgres, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


def run(paths: list[str], marked: str, *more: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            *paths,
            "-q",
            "-m",
            marked,
            "-p",
            "no:cacheprovider",
            "-p",
            "tests.alone",
            *more,
        ],
        cwd=ROOT,
        # Without a pool: its connections would outlive the threads of a test, and so keep the database from going.
        env={**os.environ, "DATABASE_URL": URL, "DATABASE_POOL": "0"},
        check=False,
        capture_output=True,
        text=True,
        timeout=2400,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def test_what_the_database_decides() -> None:
    run(DECIDED_THERE, "not long and not postgres", "-k", "not process")


@pytest.mark.long
def test_everything() -> None:
    run(EVERYTHING, "not postgres", "-k", "not for_long")
