"""Settings profiles and the response headers they produce."""

import subprocess
import sys

import pytest
from django.test import Client

from companion import settings
from tests.operations.conftest import ROOT


@pytest.mark.django_db
def test_security_headers_of_a_response(client: Client) -> None:
    headers = client.get("/healthz").headers

    policy = {part.split()[0]: part.split()[1:] for part in headers["Content-Security-Policy"].split(";")}
    assert list(policy) == sorted(policy)  # the same order in every process
    assert policy == {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:", "blob:"],
        "connect-src": ["'self'"],
        "font-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
    assert "screen-wake-lock=(self)" in headers["Permissions-Policy"]
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_unknown_page_is_not_found(client: Client) -> None:
    assert client.get("/no-such-page/").status_code == 404


@pytest.mark.parametrize("https", ["on", "off"])
def test_both_profiles_pass_the_deployment_checks(surroundings: dict[str, str], https: str) -> None:
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]

    result = subprocess.run(
        command, cwd=ROOT, env={**surroundings, "HTTPS": https}, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stderr


def test_https_makes_cookies_secure(surroundings: dict[str, str]) -> None:
    program = (
        "from companion import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.CSRF_COOKIE_NAME)"
    )

    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**surroundings, "HTTPS": "on"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stdout.split() == ["True", "True", "True", "__Host-csrftoken"]


def test_database_is_sqlite_in_the_data_folder_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)

    database = settings._database()

    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["NAME"] == (settings.DATA_DIR / "seneschal.sqlite3").as_posix()
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert database["CONN_MAX_AGE"] is None  # persistent connections


def test_database_url_selects_postgresql_with_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://steward:key@db.example/tables?sslmode=require")

    database = settings._database()

    assert database["ENGINE"] == "companion.operations.postgres"
    assert database["CONN_HEALTH_CHECKS"]
    assert database["OPTIONS"] == {
        **settings._KEEPALIVE,
        "sslmode": "require",
        "pool": {"min_size": 1, "max_size": 8, "timeout": 3, "reconnect_timeout": 5},
    }
    assert database["CONN_MAX_AGE"] == 0


def test_pool_can_be_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://db.example/tables")
    monkeypatch.setenv("DATABASE_POOL", "0")

    assert "pool" not in settings._database()["OPTIONS"]
