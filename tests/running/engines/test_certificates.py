"""Certificates: accepted by Dask in all three roles, refused otherwise, and checked before they are used."""

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

import distributed
from cryptography import x509

from harness.model.errors import BadUsage
from harness.running.engines.certificates import CA, CERTIFICATE, KEY, VALID, new_certificates
from harness.running.engines.configuration import without_http
from harness.running.engines.joining import check_reachable, place_host
from harness.running.engines.security import make_certificates, read_certificates, security, security_of

LOCAL = "tls://127.0.0.1:0"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with new certificates."""
    make_certificates(tmp_path / "certificates")
    return tmp_path / "certificates"


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def test_scheduler_place_and_client_talk_and_strangers_do_not(folder: Path, tmp_path: Path) -> None:
    make_certificates(tmp_path / "other")
    ours, theirs = security(folder), security(tmp_path / "other")

    async def talk() -> int:
        scheduler = await without_http(distributed.Scheduler)(host=LOCAL, security=ours, dashboard=False)
        address = scheduler.address
        options: dict[str, Any] = {"nthreads": 1, "memory_limit": 0, "local_directory": tmp_path}
        worker = await without_http(distributed.Worker)(address, host=place_host(address), security=ours, **options)
        assert worker.address.startswith("tls://127.0.0.1:")
        async with distributed.Client(address, security=ours, asynchronous=True) as client:
            answer: int = await client.submit(sum, (40, 2))
        with pytest.raises(OSError, match="TLS certificate does not match"):
            await distributed.Client(address, security=theirs, asynchronous=True, timeout=5)
        with pytest.raises(OSError, match="in <TCP"):
            await distributed.Client(address.replace("tls", "tcp"), asynchronous=True, timeout=5)
        await asyncio.to_thread(check_reachable, address, ours)
        with pytest.raises(BadUsage, match=r"^[^\n]*has other certificates \(.*copy of the scheduler's folder$"):
            await asyncio.to_thread(check_reachable, address, theirs)
        await worker.close()
        await scheduler.close()
        return answer

    assert asyncio.run(talk()) == 42


def refusal(scheduler: dict[str, Any], address: Callable[[str], str], ours: Any) -> str:
    """Return the message for a place or run that tries to join a scheduler with these options."""

    async def ask() -> str:
        running = await without_http(distributed.Scheduler)(dashboard=False, **scheduler)
        with pytest.raises(BadUsage) as caught:
            await asyncio.to_thread(check_reachable, address(running.address), ours)
        await running.close()
        return str(caught.value)

    return asyncio.run(ask())


def test_a_scheduler_without_encryption_is_found_out(folder: Path) -> None:
    message = refusal({"host": "tcp://127.0.0.1:0"}, lambda address: address.replace("tcp", "tls"), security(folder))
    assert "does not take these certificates, or any" in message


def test_a_scheduler_that_refuses_our_certificate_is_found_out(folder: Path, tmp_path: Path) -> None:
    """Under TLS 1.3 it refuses after the handshake has ended for us."""
    make_certificates(tmp_path / "other")
    settings = security_of(read_certificates(folder) | {CA: (tmp_path / "other" / CA).read_bytes()})
    message = refusal({"host": LOCAL, "security": settings}, str, security(folder))
    assert "does not take these certificates, or any" in message


def test_dask_compares_no_host_names_and_asks_both_ends_for_certificates(folder: Path) -> None:
    settings: Any = security(folder)
    for role in ("scheduler", "worker", "client"):
        for context in (settings.get_connection_args(role), settings.get_listen_args(role)):
            assert context["require_encryption"]
            assert not context["ssl_context"].check_hostname
            assert context["ssl_context"].verify_mode.name == "CERT_REQUIRED"
            assert [dict(*name["subject"])["commonName"] for name in context["ssl_context"].get_ca_certs()] == [
                "Crosscheck authority"
            ]


def test_no_folder_means_no_encryption() -> None:
    assert security(None) is None


def test_only_the_owner_can_read_the_files_and_the_folder(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {CA, CERTIFICATE, KEY}
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}
    assert oct(folder.stat().st_mode & 0o777) == "0o700"


def test_certificates_are_valid_for_a_year_and_the_authority_signs_no_more_authorities(folder: Path) -> None:
    ca, certificate = (x509.load_pem_x509_certificate((folder / name).read_bytes()) for name in (CA, CERTIFICATE))
    for each in (ca, certificate):
        assert timedelta(364) < each.not_valid_after_utc - datetime.now(UTC) <= VALID
        assert each.public_key().curve.name == "secp256r1"
    assert ca.extensions.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(True, 0)
    assert not certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize("name", [CA, CERTIFICATE, KEY])
def test_no_file_is_overwritten_and_a_refusal_leaves_no_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("kept")
    with pytest.raises(BadUsage, match=f"{name}: File exists"):
        make_certificates(tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "kept")]


def test_a_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadUsage, match="file: File exists"):
        make_certificates(tmp_path / "file")
    with pytest.raises(BadUsage, match=r"file/.*\.pem: Not a directory: make certificates by"):
        security(tmp_path / "file")


def at(moment: datetime) -> Callable[[Path], object]:
    return lambda folder: write(folder, new_certificates(moment))


def replace(name: str, content: bytes | None) -> Callable[[Path], object]:
    """Return what replaces a file, by that of another cluster if no content is given."""
    return lambda folder: (folder / name).write_bytes(content or new_certificates(datetime.now(UTC))[name])


def put_pipe(folder: Path) -> None:
    (folder / CA).unlink()
    os.mkfifo(folder / CA)


NOW = datetime.now(UTC)
ENCRYPTED = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"
DEFECTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing certificate": (lambda folder: (folder / CERTIFICATE).unlink(), f"{CERTIFICATE}: No such file"),
    "missing key": (lambda folder: (folder / KEY).unlink(), f"{KEY}: No such file"),
    "missing authority": (lambda folder: (folder / CA).unlink(), f"{CA}: No such file"),
    "a pipe": (put_pipe, f"{CA}: not a file"),
    "world-readable": (lambda folder: (folder / KEY).chmod(0o644), r"other users may .* \(mode 0644\): chmod 600 "),
    "group-readable": (lambda folder: (folder / KEY).chmod(0o640), r"other users may .* \(mode 0640\): chmod 600 "),
    "expired": (at(NOW - VALID - timedelta(hours=1)), f"{CA}: valid from .* to .* UTC, and it is "),
    "not yet valid": (at(NOW + timedelta(days=2)), f"{CA}: valid from .* to .* UTC, and it is "),
    "another key": (replace(KEY, None), f"{KEY}: not the key of {CERTIFICATE}"),
    "another authority": (replace(CA, None), f"{CERTIFICATE}: not issued by {CA}"),
    "an empty key": (replace(KEY, b"\n"), f"{KEY}: not a private key"),
    "a key with a password": (replace(KEY, ENCRYPTED), f"{KEY}: not a private key without a password"),
    "no certificate": (replace(CERTIFICATE, b"\xff" * 50), f"{CERTIFICATE}: not a certificate"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_unusable_certificates_are_one_line(name: str, folder: Path) -> None:
    damage, reason = DEFECTS[name]
    damage(folder)
    with pytest.raises(BadUsage, match=rf"^[^\n]*{reason}[^\n]*$"):
        security(folder)
