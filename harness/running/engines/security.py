"""Encryption between the processes of a cluster, and the addresses that they may use.

Whoever reaches a scheduler or a place of Dask can run code there, as the user who started it. So connections are
encrypted and both ends show a certificate of the cluster's own authority, or they stay on the loopback of one machine.
"""

import ipaddress
import json
import os
import re
import shlex
import socket
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from ssl import CERT_REQUIRED, VERIFY_X509_STRICT, Purpose, SSLContext, TLSVersion, create_default_context
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage
from harness.model.invocation import PROGRAM
from harness.running.engines.certificates import CA, CERTIFICATE, KEY, defect, new_certificates
from puzzles.packages import install

if TYPE_CHECKING:
    from distributed import Security

MAX_BYTES = 1 << 20  # bytes of a file that is read
INSTALL = f"a cluster needs Dask.distributed and cryptography: {install('distributed', 'cryptography')}"
SET_UP = (
    f"make certificates by `{PROGRAM} place --make-certificates FOLDER`, copy the folder to each machine, and give"
    " --certificates FOLDER to the scheduler, the places and the run"
)
ADDRESS = re.compile(r"([a-z0-9+.-]+)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+):([0-9]{1,5})")
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))


def require_packages() -> None:
    """Raise BadUsage if a package of the extra `cluster` is not installed."""
    if not find_spec("distributed") or not find_spec("cryptography"):
        raise BadUsage(INSTALL)


def make_certificates(folder: Path) -> None:
    """Write new certificates and their key to a folder without certificates. Raises BadUsage."""
    require_packages()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as e:
        raise BadUsage(f"{folder}: {e.strerror}") from e
    write_new(folder, new_certificates(datetime.now(UTC)))


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that only their owner can read: all or none, without replacing any file. Raises BadUsage."""
    written: list[Path] = []
    try:
        for name, content in files.items():
            path = folder / name
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            written.append(path)
            with open(number, "wb") as file:
                file.write(content)
    except OSError as e:
        for each in written:
            each.unlink(missing_ok=True)
        raise BadUsage(f"{path}: {e.strerror}") from e


def security(folder: Path | None) -> "Security | None":
    """Return Dask's settings of connections with the certificates of a folder, None without one. Raises BadUsage."""
    return None if folder is None else security_of(read_certificates(folder))


def security_of(files: Mapping[str, bytes]) -> "Security":
    """Return Dask's settings of connections with certificates that are in memory from now on, and in no file."""
    require_packages()
    from distributed import Security

    connecting, listening = (tls_context(files, purpose) for purpose in (Purpose.SERVER_AUTH, Purpose.CLIENT_AUTH))

    class Held(Security):  # type: ignore[misc]
        """Settings of Dask with TLS contexts that exist; by default Dask reads the files for every connection."""

        def get_connection_args(self, role: str) -> dict[str, Any]:
            return {"ssl_context": connecting, "require_encryption": True, "extra_conn_args": {}}

        def get_listen_args(self, role: str) -> dict[str, Any]:
            return {"ssl_context": listening, "require_encryption": True}

    return Held(require_encryption=True)


def tls_context(files: Mapping[str, bytes], purpose: Purpose) -> SSLContext:
    """Return a context of TLS in which both ends show the certificate. Names of hosts are not compared."""
    context = create_default_context(purpose, cadata=files[CA].decode())
    context.minimum_version = TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = CERT_REQUIRED
    context.verify_flags &= ~VERIFY_X509_STRICT
    with in_memory(files[CERTIFICATE] + files[KEY]) as path:
        context.load_cert_chain(path)
    return context


@contextmanager
def in_memory(content: bytes) -> Iterator[str]:
    """Yield a path by which this process alone can read some bytes; without Linux a file for its user alone."""
    if not hasattr(os, "memfd_create"):
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            yield file.name
        return
    number = os.memfd_create("certificate")
    try:
        os.write(number, content)
        yield f"/proc/self/fd/{number}"
    finally:
        os.close(number)


def read_certificates(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name. Raises BadUsage unless they are valid, belong together, the key private."""
    files = {name: read_file(folder / name, SET_UP) for name in (CA, CERTIFICATE, KEY)}
    mode = stat.S_IMODE((folder / KEY).stat().st_mode)
    if mode & 0o077:
        remedy = f"chmod 600 {shlex.quote(str(folder / KEY))}"
        raise BadUsage(f"{folder / KEY}: other users may read or change it (mode {mode:04o}): {remedy}")
    if found := defect(files, datetime.now(UTC)):
        name, reason = found
        raise BadUsage(f"{folder / name}: {reason}: {SET_UP}")
    return files


def check_address(address: str, secured: bool) -> None:
    """Raise BadUsage unless an address is allowed: with TLS any, without TLS only on the loopback."""
    found = ADDRESS.fullmatch(address)
    if found is None or int(found[3]) > 65535:
        raise BadUsage(f"{address!r} is not an address, like tls://10.0.0.5:8786 or tcp://127.0.0.1:8786")
    scheme, host = found[1], found[2]
    if scheme not in ("tcp", "tls"):
        raise BadUsage(f"{address}: {scheme} is not supported, only tls, and on this machine tcp: {SET_UP}")
    if scheme == "tcp" and not is_loopback(host):
        raise BadUsage(f"{address} is open to other machines, and whoever reaches it can run code: {SET_UP}")
    if scheme == "tcp" and secured:
        raise BadUsage(
            f"{address} is not encrypted: start the scheduler with --certificates too, or leave them out here"
        )
    if scheme == "tls" and not secured:
        raise BadUsage(f"{address} is encrypted: give --certificates FOLDER, a copy of the scheduler's folder")


def is_loopback(host: str) -> bool:
    """Return True for an address of this machine's loopback, and for `localhost` if it resolves to nothing else.

    Other names are refused: they may resolve to another address when Dask looks them up again.
    """
    hosts = {host.strip("[]")}
    if host == "localhost":
        try:
            hosts = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
        except OSError:
            return False
    try:
        return all(any(ipaddress.ip_address(each) in network for network in LOOPBACK) for each in hosts)
    except ValueError:
        return False


def scheduler_address(file: Path) -> str:
    """Return the address in a scheduler file of Dask. Raises BadUsage."""
    start = f"start a scheduler by `{PROGRAM} scheduler --scheduler-file {shlex.quote(str(file))}`"
    content = read_file(file, start)
    try:
        address = json.loads(content)["address"]
    except (ValueError, LookupError, TypeError, RecursionError) as e:
        raise BadUsage(f"{file}: not a scheduler file: {start}") from e
    if not isinstance(address, str):
        raise BadUsage(f"{file}: not a scheduler file: {start}")
    return address


def read_file(path: Path, remedy: str) -> bytes:
    """Return the content of a small file. Raises BadUsage, with the remedy."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadUsage(f"{path}: not a file: {remedy}")
        with path.open("rb") as file:
            return file.read(MAX_BYTES)
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}: {remedy}") from e
