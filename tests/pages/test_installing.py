"""Manifest and service worker of the progressive web app."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db


def size_of(source: str) -> str:
    """Return the pixel size of a PNG file."""
    path = finders.find(source.removeprefix("/static/"))
    assert isinstance(path, str)
    head = Path(path).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return "{}x{}".format(*struct.unpack(">II", head[16:]))


def test_manifest_icons_have_the_declared_size(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    icons = [(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]]
    assert icons == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for icon in manifest["icons"]:
        assert size_of(icon["src"]) == icon["sizes"]
    assert 'rel="manifest" href="/manifest.webmanifest"' in client.get("/").content.decode()


def test_service_worker_is_served_from_the_root(client: Client) -> None:
    page = client.get("/").content.decode()
    address = page.partition('data-worker="')[2].partition('"')[0]
    worker = client.get(address)
    assert worker["Content-Type"].startswith("text/javascript")
    assert address.count("/") == 1  # its scope is the paths below its own
