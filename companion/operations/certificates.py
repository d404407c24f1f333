"""HTTPS in a home network: an authority of the laptop's own, and the certificate it gives the laptop.

A phone that trusts the authority (``/trust/``) takes the laptop for a secure place. The authority may only
speak for private addresses and for names of the home network, so whoever steals its key still cannot stand
between the phone and the rest of the world.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, ip_address
from pathlib import Path
from typing import cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY, AUTHORITY_KEY = "ca.pem", "ca-key.pem"
CERTIFICATE, KEY = "server.pem", "server-key.pem"
AUTHORITY_LASTS = timedelta(days=10 * 365)
LASTS = timedelta(days=397)  # no phone takes one that lasts longer than 825 days, some only 398
RENEWED_BEFORE = timedelta(days=30)
SKEW = timedelta(days=1)  # clocks of phones are not always right

PRIVATE_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
HOME_DOMAINS = ("localhost", "local", "lan", "home.arpa")


def authority_of(folder: Path) -> x509.Certificate:
    """The authority kept in a folder; made when there is none, or when it has run out."""
    kept = _read(folder / AUTHORITY)
    return kept if kept and not _runs_out(kept) else _make_authority(folder)


def certificate_for(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """A certificate and its key for names and addresses, made anew when the kept one does not fit."""
    authority = authority_of(folder)
    wanted = covered(names)
    kept = _read(folder / CERTIFICATE)
    if kept is None or kept.issuer != authority.subject or _runs_out(kept) or not wanted <= _names_of(kept):
        _make_certificate(folder, authority, sorted(wanted))
    return folder / CERTIFICATE, folder / KEY


def covered(names: Iterable[str]) -> set[str]:
    """Those of the names that the authority may speak for."""
    return {name for name in names if _is_home(name)}


def as_installed(authority: x509.Certificate) -> bytes:
    """In the form in which phones install it."""
    return authority.public_bytes(serialization.Encoding.DER)


def fingerprint(authority: x509.Certificate) -> str:
    """What people compare before they trust it: pairs of digits, as phones show them."""
    return authority.fingerprint(hashes.SHA256()).hex(" ").upper()


@dataclass(frozen=True, slots=True)
class Authority:
    """The laptop's certificate authority, as a phone needs it."""

    name: str
    fingerprint: str
    installed: bytes


def installed_authority(folder: Path) -> Authority | None:
    """Return the authority kept in a folder; None if there is none yet."""
    if not (folder / AUTHORITY).exists():
        return None
    certificate = authority_of(folder)
    name = str(certificate.subject.rdns[0].rfc4514_string()).partition("=")[2]
    return Authority(name, fingerprint(certificate), as_installed(certificate))


def load(context: ssl.SSLContext, folder: Path, names: Iterable[str]) -> None:
    """Let new connections of a server have the certificate for the names it goes by now."""
    certificate, key = certificate_for(folder, names)
    context.load_cert_chain(certificate, key)


def _is_home(name: str) -> bool:
    try:
        address = ip_address(name)
    except ValueError:
        return any(name == domain or name.endswith(f".{domain}") for domain in HOME_DOMAINS)
    return any(address in IPv4Network(network) for network in PRIVATE_NETWORKS)


def _read(path: Path) -> x509.Certificate | None:
    return x509.load_pem_x509_certificate(path.read_bytes()) if path.exists() else None


def _runs_out(certificate: x509.Certificate) -> bool:
    return certificate.not_valid_after_utc - RENEWED_BEFORE < datetime.now(UTC)


def _names_of(certificate: x509.Certificate) -> set[str]:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _make_authority(folder: Path) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    # Every laptop has its own, and a phone may know several.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Seneschal {serial % 16**6:06X}")])
    networks = [x509.IPAddress(IPv4Network(network)) for network in PRIVATE_NETWORKS]
    permitted = [*map(x509.DNSName, HOME_DOMAINS), *networks]
    usage = _usage(signs_certificates=True)
    authority = (
        _builder(name, name, key.public_key(), serial, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True
        )
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep(folder, (AUTHORITY_KEY, _pem(key)), (AUTHORITY, authority.public_bytes(serialization.Encoding.PEM)))
    return authority


def _make_certificate(folder: Path, authority: x509.Certificate, names: Sequence[str]) -> None:
    kept = serialization.load_pem_private_key((folder / AUTHORITY_KEY).read_bytes(), password=None)
    signer = cast("ec.EllipticCurvePrivateKey", kept)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Seneschal")])
    certificate = (
        _builder(name, authority.subject, key.public_key(), x509.random_serial_number(), LASTS)
        .add_extension(x509.SubjectAlternativeName(map(_general, names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _keep(folder, (KEY, _pem(key)), (CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM)))


def _builder(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, serial: int, lasts: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(serial)
        .not_valid_before(now - SKEW)
        .not_valid_after(now + lasts)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _keep(folder: Path, *files: tuple[str, bytes]) -> None:
    """Write files that only their owner may read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in files:
        handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
