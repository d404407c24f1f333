"""What a request says about itself is not believed."""

from __future__ import annotations

import pytest
from django.test import Client

from companion.models import Table
from tests.hostile import sitting_at

pytestmark = pytest.mark.django_db
CLAIMED = {
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
def test_other_names_in_headers_change_nothing(part: str) -> None:
    address = f"/t/{sitting_at('raubritter', entries=2).table.code}/{part}"
    told = Client().get(address, headers=CLAIMED)
    assert told.status_code == 200
    assert b"evil.example" not in told.content
    assert told.wsgi_request.get_host() == "testserver"
    assert not told.wsgi_request.is_secure()
    assert told.wsgi_request.path == address.partition("?")[0]


def test_a_method_is_not_changed_by_a_header() -> None:
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
def test_no_file_beside_the_static_ones(path: str) -> None:
    answer = Client().get(f"/static/{path}")
    assert answer.status_code in (400, 404)
    assert b"SECRET_KEY" not in answer.getvalue()
