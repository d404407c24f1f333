"""HTTPS in a home network: certificate authority, certificate, and server with two ports."""

from __future__ import annotations

import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

import run
from companion.operations import certificates
from companion.operations.https import host_of
from tests.operations.conftest import ROOT, fetch, wait_until_open

NAMES = [
    "localhost",
    "127.0.0.1",
    "192.168.1.5",
    "laptop.local",
    "::1",
    "laptop",
    "203.0.113.9",
    "example.org",
]


def trusting(folder: Path) -> ssl.SSLContext:
    """Return the TLS context of a phone that trusts only the authority in this folder."""
    return ssl.create_default_context(cafile=str(folder / certificates.AUTHORITY))


def certificate_in(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / certificates.CERTIFICATE).read_bytes())


def test_only_local_names_are_certifiable() -> None:
    assert certificates.certifiable_names(NAMES) == {"localhost", "127.0.0.1", "192.168.1.5", "laptop.local"}


def test_authority_and_certificate_are_reused_and_keys_are_private(tmp_path: Path) -> None:
    authority = certificates.authority_of(tmp_path)
    certificate, key = certificates.certificate_for(tmp_path, NAMES)
    before = certificate.read_bytes()
    assert certificates.certificate_for(tmp_path, ["localhost"]) == (certificate, key)
    assert certificate.read_bytes() == before
    assert certificates.authority_of(tmp_path) == authority
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes[certificates.AUTHORITY_KEY] == modes[certificates.KEY] == 0o600


def test_new_address_gets_a_new_certificate_of_the_same_authority(tmp_path: Path) -> None:
    certificates.certificate_for(tmp_path, ["192.168.1.5"])
    authority = certificates.authority_of(tmp_path)
    certificates.certificate_for(tmp_path, ["192.168.1.5", "10.0.0.7"])
    assert certificates.authority_of(tmp_path) == authority
    alternatives = certificate_in(tmp_path).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert {str(name.value) for name in alternatives.value} == {"192.168.1.5", "10.0.0.7"}


def test_expiring_certificate_is_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates.certificate_for(tmp_path, ["localhost"])
    first = certificate_in(tmp_path)
    lifetime = first.not_valid_after_utc - datetime.now(UTC)
    assert timedelta(days=300) < lifetime < timedelta(days=398)
    monkeypatch.setattr(certificates, "RENEW_BEFORE", timedelta(days=399))
    certificates.certificate_for(tmp_path, ["localhost"])
    assert certificate_in(tmp_path).serial_number != first.serial_number


@pytest.mark.parametrize(
    ("named", "host"),
    [
        (b"192.168.1.5:8001", "192.168.1.5"),
        (b"laptop.local", "laptop.local"),
        (b"[::1]:8001", "[::1]"),
        (b"[::1]", "[::1]"),
        (b"evil/\r\nx", "10.0.0.7"),
        (b"", "10.0.0.7"),
    ],
)
def test_host_is_taken_from_a_valid_host_header(named: bytes, host: str) -> None:
    assert host_of({"headers": [(b"host", named)], "server": ("10.0.0.7", 8001)}) == host


@pytest.mark.parametrize(("https", "port"), [("", None), ("off", None), ("1", 8444), ("on", 8444)])
def test_plain_port_is_next_to_the_https_port(
    monkeypatch: pytest.MonkeyPatch, https: str, port: int | None
) -> None:
    monkeypatch.setenv("HTTPS", https)
    assert run.plain_port_of(8443) == port


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object) -> None:
        return None


@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently on Windows")
def test_server_with_https_and_plain_port(
    surroundings: dict[str, str], free_port: int, tmp_path: Path
) -> None:
    """The site uses HTTPS; the plain port serves `/trust/` and redirects the rest."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        plain_port = probe.getsockname()[1]
    https = run.https_variables("127.0.0.1", free_port, plain_port)
    environment = {**surroundings, **https}
    python = [sys.executable, "-m"]
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    server = subprocess.Popen(
        [*python, "companion.operations.https"], cwd=ROOT, env=environment, stderr=subprocess.PIPE
    )
    try:
        wait_until_open(free_port)
        wait_until_open(plain_port)
        phone = trusting(tmp_path / "data" / "https")
        site = f"https://127.0.0.1:{free_port}"
        with urllib.request.urlopen(f"{site}/", context=phone, timeout=30) as answer:  # noqa: S310
            assert answer.status == 200
            assert "max-age" not in (answer.headers["Strict-Transport-Security"] or "")
        with pytest.raises(urllib.error.URLError, match="certificate verify failed"):
            urllib.request.urlopen(f"{site}/", timeout=30)  # noqa: S310 - a phone that does not trust the authority
        plain_site = f"http://127.0.0.1:{plain_port}"
        status, page = fetch(f"{plain_site}/trust/")
        assert (status, f"{site}/".encode() in page) == (200, True)
        status, installed = fetch(f"{plain_site}/trust/seneschal.crt")
        authority = certificates.authority_of(tmp_path / "data" / "https")
        assert (status, installed) == (200, certificates.to_der(authority))
        with pytest.raises(urllib.error.HTTPError) as redirect:
            urllib.request.build_opener(NoRedirect).open(f"{plain_site}/t/BCDFGH/?at=1", timeout=30)
        assert (redirect.value.code, redirect.value.headers["Location"]) == (307, f"{site}/t/BCDFGH/?at=1")
        redirect.value.close()
    finally:
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=20)
    assert b"Traceback" not in errors


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/trust/", "/trust/seneschal.crt"])
def test_trust_page_without_certificate_is_not_found(client: object, path: str) -> None:
    answer = client.get(path)  # type: ignore[attr-defined]
    assert answer.status_code == 404
    assert "HTTPS=1" in answer.content.decode()
