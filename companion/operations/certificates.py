"""HTTPS in a home network: a local certificate authority, and the server certificate it signs.

A phone that trusts the authority (`/trust/`) accepts the laptop's certificate. Name constraints limit the
authority to private addresses and names of the home network, so a stolen key cannot be used against other
sites.
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
AUTHORITY_LIFETIME = timedelta(days=10 * 365)
LIFETIME = timedelta(days=397)  # phones reject more than 825 days, some more than 398
RENEW_BEFORE = timedelta(days=30)
SKEW = timedelta(days=1)  # tolerance for phones whose clock is slow

PRIVATE_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
HOME_DOMAINS = ("localhost", "local", "lan", "home.arpa")


def authority_of(folder: Path) -> x509.Certificate:
    """Return the authority stored in a folder; create it if there is none or it is about to expire."""
    authority = _read(folder / AUTHORITY)
    return authority if authority and not _expires_soon(authority) else _make_authority(folder)


def certificate_for(folder: Path, names: Iterable[str]) -> tuple[Path, Path]:
    """Return the paths of a certificate and its key for these names; create them if needed."""
    authority = authority_of(folder)
    wanted = certifiable_names(names)
    current = _read(folder / CERTIFICATE)
    if (
        current is None
        or current.issuer != authority.subject
        or _expires_soon(current)
        or not wanted <= _names_of(current)
    ):
        _make_certificate(folder, authority, sorted(wanted))
    return folder / CERTIFICATE, folder / KEY


def certifiable_names(names: Iterable[str]) -> set[str]:
    """Return the names that the authority may certify."""
    return {name for name in names if _is_home(name)}


def to_der(authority: x509.Certificate) -> bytes:
    """Return the certificate in DER, the format in which phones install it."""
    return authority.public_bytes(serialization.Encoding.DER)


def fingerprint(authority: x509.Certificate) -> str:
    """Return the SHA-256 fingerprint as phones show it, for comparison before trusting it."""
    return authority.fingerprint(hashes.SHA256()).hex(" ").upper()


@dataclass(frozen=True, slots=True)
class Authority:
    """The laptop's certificate authority, as shown on the page `/trust/`."""

    name: str
    fingerprint: str
    installed: bytes


def installed_authority(folder: Path) -> Authority | None:
    """Return the authority stored in a folder; None if there is none yet."""
    if not (folder / AUTHORITY).exists():
        return None
    certificate = authority_of(folder)
    name = str(certificate.subject.rdns[0].rfc4514_string()).partition("=")[2]
    return Authority(name, fingerprint(certificate), to_der(certificate))


def load(context: ssl.SSLContext, folder: Path, names: Iterable[str]) -> None:
    """Use the certificate for these names for new connections of a server."""
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


def _expires_soon(certificate: x509.Certificate) -> bool:
    return certificate.not_valid_after_utc - RENEW_BEFORE < datetime.now(UTC)


def _names_of(certificate: x509.Certificate) -> set[str]:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _make_authority(folder: Path) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    # A distinct name, because a phone may trust the authorities of several laptops.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Seneschal {serial % 16**6:06X}")])
    networks = [x509.IPAddress(IPv4Network(network)) for network in PRIVATE_NETWORKS]
    permitted = [*map(x509.DNSName, HOME_DOMAINS), *networks]
    usage = _usage(signs_certificates=True)
    authority = (
        _builder(name, name, key.public_key(), serial, AUTHORITY_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True
        )
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_private(
        folder, (AUTHORITY_KEY, _pem(key)), (AUTHORITY, authority.public_bytes(serialization.Encoding.PEM))
    )
    return authority


def _make_certificate(folder: Path, authority: x509.Certificate, names: Sequence[str]) -> None:
    loaded = serialization.load_pem_private_key((folder / AUTHORITY_KEY).read_bytes(), password=None)
    signer = cast("ec.EllipticCurvePrivateKey", loaded)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Seneschal")])
    certificate = (
        _builder(name, authority.subject, key.public_key(), x509.random_serial_number(), LIFETIME)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _write_private(
        folder, (KEY, _pem(key)), (CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM))
    )


def _builder(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, serial: int, lifetime: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(serial)
        .not_valid_before(now - SKEW)
        .not_valid_after(now + lifetime)
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


def _write_private(folder: Path, *files: tuple[str, bytes]) -> None:
    """Write files that only their owner may read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in files:
        handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
