"""Checks before a place or a run joins a scheduler, and the host that a place listens on."""

import socket
import ssl
from pathlib import Path
from typing import TYPE_CHECKING

from harness.model.errors import BadUsage
from harness.running.engines.security import ADDRESS, check_address, is_loopback, scheduler_address, security

if TYPE_CHECKING:
    from distributed import Security

TIMEOUT_S = 10.0


def reachable(target: str, certificates: Path | None) -> str:
    """Return the address of a scheduler from its file or its address. Raises BadUsage if it does not answer."""
    address = target if "://" in target else scheduler_address(Path(target).expanduser())
    check_address(address, certificates is not None)
    check_reachable(address, security(certificates))
    return address


def check_reachable(address: str, settings: "Security | None") -> None:
    """Connect once to an address that check_address allows; Dask's places would try for ever. Raises BadUsage."""
    found = ADDRESS.fullmatch(address)
    assert found is not None
    host, port = found[2].strip("[]"), int(found[3])
    try:
        with socket.create_connection((host, port), TIMEOUT_S) as connection, encrypted(connection, settings) as ours:
            if not ours.recv(1):  # of Dask's greeting, which comes once the other end has accepted our certificate
                raise ConnectionResetError
    except ssl.SSLCertVerificationError as e:
        remedy = "--certificates must be a copy of the scheduler's folder"
        raise BadUsage(f"{address} has other certificates ({e.verify_message}): {remedy}") from e
    except ssl.SSLError as e:
        raise BadUsage(f"{address} does not take these certificates, or any ({e.reason})") from e
    except OSError as e:
        raise BadUsage(f"{address}: {e.strerror or 'no answer'}: is the scheduler of this file still running?") from e


def encrypted(connection: socket.socket, settings: "Security | None") -> socket.socket:
    """Return a connection with TLS by these settings, or unchanged if there are none."""
    if settings is None:
        return connection
    context: ssl.SSLContext = settings.get_connection_args("client")["ssl_context"]
    return context.wrap_socket(connection)


def place_host(address: str) -> str | None:
    """Return the host that a place of this scheduler listens on: its loopback, or None for every interface.

    Dask's default is every interface, even beside a scheduler on loopback without encryption.
    """
    found = ADDRESS.fullmatch(address)
    return found[2] if found and is_loopback(found[2]) else None
