"""Certificates of a cluster as the bytes of PEM files: issued by `cryptography`, and checked."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

CA, CERTIFICATE, KEY = "ca.pem", "certificate.pem", "key.pem"
VALID = timedelta(days=365)
CLOCK_SKEW = timedelta(days=1)  # tolerance between the clocks of machines
TIME = "%Y-%m-%d %H:%M UTC"


def new_certificates(now: datetime) -> dict[str, bytes]:
    """Return the files of a new authority, and of the one certificate that all processes of a cluster share.

    The authority's key is discarded, so nobody can issue another certificate.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    authority, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    pem = serialization.Encoding.PEM
    return {
        KEY: key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        CERTIFICATE: issue(authority, key, now).public_bytes(pem),
        CA: issue(authority, authority, now).public_bytes(pem),
    }


def issue(authority: Any, key: Any, now: datetime) -> "Certificate":
    """Return a certificate that an authority issues for a key; for its own key, the certificate of the authority.

    The certificate serves both ends of a connection. It names no host, since Dask compares none (`check_hostname` is
    off).
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    is_ca = key is authority
    issuer, subject = (
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"Crosscheck {name}")])
        for name in ("authority", "authority" if is_ca else "process")
    )
    unused = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign")
    usage = dict.fromkeys((*unused, "encipher_only", "decipher_only"), False)
    builder = (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=0 if is_ca else None), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=not is_ca, key_cert_sign=is_ca, **usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
    )
    if not is_ca:
        ends = [x509.ExtendedKeyUsageOID.SERVER_AUTH, x509.ExtendedKeyUsageOID.CLIENT_AUTH]
        builder = builder.add_extension(x509.ExtendedKeyUsage(ends), critical=True)
    return builder.sign(authority, hashes.SHA256())


def defect(files: Mapping[str, bytes], now: datetime) -> tuple[str, str] | None:
    """Return the file that makes certificates unusable, and the reason. None if they are valid and belong together."""
    from cryptography.exceptions import InvalidSignature

    read = {}
    for name, content in files.items():
        try:
            read[name] = decode(name, content)
        except (ValueError, TypeError):
            return name, "not a private key without a password" if name == KEY else "not a certificate"
    ca, certificate = read[CA], read[CERTIFICATE]
    for name in (CA, CERTIFICATE):
        first, last = read[name].not_valid_before_utc, read[name].not_valid_after_utc
        if not first <= now <= last:
            return name, f"valid from {first:{TIME}} to {last:{TIME}}, and it is {now:{TIME}}"
    if certificate.public_key() != read[KEY].public_key():
        return KEY, f"not the key of {CERTIFICATE}"
    try:
        certificate.verify_directly_issued_by(ca)
    except (ValueError, TypeError, InvalidSignature):
        return CERTIFICATE, f"not issued by {CA}"
    return None


def decode(name: str, content: bytes) -> Any:
    """Return the key or the certificate of a file. Raises ValueError or TypeError."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from cryptography.x509 import load_pem_x509_certificate

    try:
        return load_pem_private_key(content, None) if name == KEY else load_pem_x509_certificate(content)
    except UnsupportedAlgorithm as e:
        raise ValueError(str(e)) from e
