"""Spoofed headers, method overrides and static paths are ignored."""

from __future__ import annotations

import pytest
from django.test import Client

from companion.models import Table
from tests.hostile import sitting_at

pytestmark = pytest.mark.django_db
SPOOFED = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-server": "evil.example",
    "x-forwarded-port": "1",
    "x-host": "evil.example",
    "forwarded": "host=evil.example;proto=https;for=10.0.0.9",
    "x-original-url": "/admin/",
    "x-rewrite-url": "/admin/",
    "x-forwarded-for": "10.0.0.9",
    "x-real-ip": "10.0.0.9",
    "x-forwarded-proto": "https",
}


@pytest.mark.parametrize("part", ["", "?tab=menu", "report/", "report/standalone.html", "display/"])
def test_spoofed_headers_are_ignored(part: str) -> None:
    address = f"/t/{sitting_at('raubritter', entries=2).table.code}/{part}"
    answer = Client().get(address, headers=SPOOFED)
    assert answer.status_code == 200
    assert b"evil.example" not in answer.content
    assert answer.wsgi_request.get_host() == "testserver"
    assert not answer.wsgi_request.is_secure()
    assert answer.wsgi_request.path == address.partition("?")[0]


def test_method_override_headers_are_ignored() -> None:
    sitting = sitting_at("raubritter", entries=2)
    before = Table.objects.values().get(pk=sitting.table.pk)
    for name in ("x-http-method-override", "x-http-method", "x-method-override"):
        answer = Client().get(f"/t/{sitting.table.code}/undo/?_method=POST", headers={name: "POST"})
        assert answer.status_code == 405
    assert Table.objects.values().get(pk=sitting.table.pk) == before


@pytest.mark.parametrize(
    "path",
    [
        "../companion/settings.py",
        "..%2fcompanion%2fsettings.py",
        "%2e%2e/%2e%2e/etc/passwd",
        "js/../../manage.py",
        "js/%00",
        "/etc/passwd",
        "vendor/../../package.json",
        "js/",
    ],
)
def test_path_traversal_in_static_urls_is_rejected(path: str) -> None:
    answer = Client().get(f"/static/{path}")
    assert answer.status_code in (400, 404)
    assert b"SECRET_KEY" not in answer.getvalue()
