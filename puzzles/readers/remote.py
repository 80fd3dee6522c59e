"""Files of a corpus that lie elsewhere: `https://HOST/PATH`, perhaps with `sha256=HEX` behind it, fetched once.

A file comes to the user's cache under its host and the digest of its address. It is resumed where a transfer broke off,
at most MOST_BYTES long, and kept only if its stated digest is right. Archives are not unpacked, so nothing is written
beside it. Redirections lead to https alone; http is taken of this machine alone.
"""

import hashlib
import http.client
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from puzzles.caches import remote_root
from puzzles.errors import BadInput, brief

MOST_BYTES = 1 << 30
BLOCK = 1 << 16
SECONDS = 30.0  # without a byte, after which a transfer is given up
ADDRESS = re.compile(r"(https?://\S+)(?:\s+sha256=([0-9a-fA-F]{64}))?")
LOCAL = ("localhost", "127.0.0.1", "::1")
NAME = re.compile(r"[^A-Za-z0-9._-]")
LONGEST = 100  # characters of a name


def fetched(text: str) -> Path:
    """Return the file of an address with its digest, perhaps stated, which is fetched unless it is there.

    Raises BadInput.
    """
    match = ADDRESS.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"{brief(text)}: expected https://HOST/PATH, perhaps with sha256= and 64 digits behind it")
    address, wanted = match[1], (match[2] or "").lower()
    refuse_insecure(address)
    path = path_of(address)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            transfer(address, path.with_name(f"{path.name}.part"))
            check(path.with_name(f"{path.name}.part"), address, wanted)
            path.with_name(f"{path.name}.part").replace(path)
        else:
            check(path, address, wanted)
    except BadInput:
        raise
    except urllib.error.HTTPError as e:
        raise BadInput(f"{address}: the server answers {e.code} {brief(str(e.reason))}") from None
    except (http.client.HTTPException, ValueError) as e:
        raise BadInput(f"{address}: no answer of a server that is understood: {brief(str(e))}") from None
    except OSError as e:
        reason = getattr(e, "reason", None) or e.strerror or e
        raise BadInput(f"{address}: can't be fetched: {brief(str(reason))}; what came is kept: try again") from None
    return path


def refuse_insecure(address: str) -> None:
    """Raise BadInput for an address that is neither of https nor of this machine."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in LOCAL:
        raise BadInput(f"{address}: only https:// is fetched")


def path_of(address: str) -> Path:
    """Return the path of an address in the cache, inside its folder whatever the address is."""
    parts = urllib.parse.urlsplit(address)
    last = urllib.parse.unquote(parts.path.rpartition("/")[2])
    name = NAME.sub("_", last)[-LONGEST:].lstrip(".") or "instance"
    host = NAME.sub("_", parts.netloc.rpartition("@")[2]).lstrip(".")[:LONGEST] or "host"
    return remote_root() / host / hashlib.sha256(address.encode()).hexdigest()[:16] / name


def check(path: Path, address: str, wanted: str) -> None:
    """Raise BadInput if a file has not the stated digest; then it is removed."""
    if not wanted:
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != wanted:
        path.unlink()
        raise BadInput(f"{address}: its sha256 is {found}, not {wanted}: it was removed")


class SecureRedirections(urllib.request.HTTPRedirectHandler):
    """Redirections that lead to secure addresses alone."""

    def redirect_request(self, *args: Any) -> Any:
        refuse_insecure(args[-1])
        return super().redirect_request(*args)


def transfer(address: str, part: Path) -> None:
    """Fetch what a part of a file lacks. Raises BadInput, OSError, http.client.HTTPException."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    opener = urllib.request.build_opener(SecureRedirections)
    try:
        answer = opener.open(request, timeout=SECONDS)
    except urllib.error.HTTPError as e:
        if e.code != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or not have:
            raise
        part.unlink()  # it is whole already, or of another file: begin anew
        return transfer(address, part)
    with answer, part.open("ab" if answer.status == http.HTTPStatus.PARTIAL_CONTENT else "wb") as file:
        length = answer.headers.get("Content-Length")
        whole = file.tell() + int(length) if length is not None else None
        while file.tell() <= MOST_BYTES >= (whole or 0) and (block := answer.read1(BLOCK)):
            file.write(block)
        size = file.tell()
    if size > MOST_BYTES or (whole or 0) > MOST_BYTES:
        with suppress(OSError):
            os.unlink(part)
        raise BadInput(f"{address}: more than {MOST_BYTES >> 20} MiB")
    if whole is not None and size < whole:
        raise OSError(f"the transfer ended after {size:,} of {whole:,} bytes")
    return None
