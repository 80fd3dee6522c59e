"""Contents that travel apart from their lease, from the client straight to a machine, once each: problems and files.

    client                       place                             cache of its machine
    want_content(digest, size)   HAVE, SEND or WAIT                DIGEST, DIGEST.part while it arrives
    take_content(digest, data)   '' or an error; DIGEST at the end

The cache is a folder that all places of a `place` command share, or of several machines. A content is known by its
SHA-256, which is compared whenever it is read: solvers could write to that folder. The least recently used go first.
"""

import asyncio
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.model.digests import file_digest

PIECE = 1 << 22  # bytes of a message
LARGE = 1 << 16  # bytes of what travels apart
HAVE, SEND, WAIT = "have", "send", "wait"
WAIT_S = 0.1
STALE_S = 30.0  # until a content that nobody goes on to send counts as given up
DIGEST = re.compile("[0-9a-f]{64}")
Ask = Callable[..., Coroutine[Any, Any, Any]]  # call of a handler of a place by name


class MissingContent(Exception):
    """A content that the cache no longer has."""


@dataclass(frozen=True)
class StoredContent:
    """SHA-256 of a content, and its size in bytes."""

    digest: str
    size: int


@dataclass(frozen=True)
class Content:
    """A content at the client, the file that holds it, and for a file of ours the function that makes its bytes."""

    stored: StoredContent
    path: Path
    make: Callable[[], bytes] | None = None

    def write(self) -> None:
        """Write a file of ours if it is not there. Raises OSError."""
        if self.make is not None and not self.path.exists():
            number, part = tempfile.mkstemp(dir=self.path.parent)
            with open(number, "wb") as file:
                file.write(self.make())
            os.replace(part, self.path)

    def discard(self) -> None:
        """Remove a file of ours, until it is wanted again."""
        if self.make is not None:
            self.path.unlink(missing_ok=True)


def stored_as(data: bytes) -> StoredContent:
    """Return the digest and the size of bytes."""
    return StoredContent(hashlib.sha256(data).hexdigest(), len(data))


class Outbox:
    """Contents of a client, with the folder for files of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[tuple[str, int, int], Content] = {}  # contents of files by path, size and time of change

    def of_stored(self, stored: StoredContent, make: Callable[[], bytes]) -> Content:
        """Return a content whose bytes `make` makes when they are wanted."""
        return Content(stored, self.folder / stored.digest, make)

    def of_file(self, path: str) -> Content:
        """Return the content of a file. Raises OSError."""
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            key = path, found.st_size, found.st_ctime_ns
            if key not in self.files:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                self.files[key] = Content(StoredContent(digest, found.st_size), Path(path))
        return self.files[key]


async def deliver(ask: Ask, contents: Sequence[Content]) -> None:
    """Send contents to a place, unless its machine has them or can read the file itself. Raises OSError."""
    for content in contents:
        digest, size, path = content.stored.digest, content.stored.size, str(content.path.resolve())
        while (answer := await ask("want_content", digest=digest, size=size, path=path)) == WAIT:
            await asyncio.sleep(WAIT_S)
        if answer == SEND:
            await asyncio.to_thread(content.write)
            await send(ask, content)
        elif answer != HAVE:
            raise OSError(str(answer))


async def send(ask: Ask, content: Content) -> None:
    """Send a content in pieces. Raises OSError."""
    with content.path.open("rb") as file:
        at = 0
        while data := file.read(PIECE):
            error = await ask("take_content", digest=content.stored.digest, size=content.stored.size, at=at, data=data)
            if error:
                raise OSError(str(error))
            at += len(data)
    if at != content.stored.size:
        raise OSError(f"{content.path} has changed")


class Cache:
    """Contents at a machine: in a folder of at most `most` bytes (one content may have more), or in existing files."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self.elsewhere: dict[str, str] = {}  # paths of files that have a content, by digest

    async def want(self, digest: str, size: int, path: str) -> str:
        """Return HAVE, SEND, or WAIT while another place's client sends it; an error in one line."""
        try:
            if not DIGEST.fullmatch(digest) or size <= 0:
                return "not a content"
            target = self.folder / digest
            if target.exists():
                os.utime(target)
                return HAVE
            if await asyncio.to_thread(self.found_at, digest, size, path):
                return HAVE
            return SEND if self.begin(digest, size) else WAIT
        except OSError as e:
            return f"cache: {e.strerror}"

    def found_at(self, digest: str, size: int, path: str) -> bool:
        """Return True if a file of that path, as on a shared file system, has the content."""
        with suppress(OSError, ValueError):
            if os.path.isfile(path) and os.path.getsize(path) == size and file_digest(path) == digest:
                self.elsewhere[digest] = path
                return True
        return False

    def begin(self, digest: str, size: int) -> bool:
        """Make room and an empty file for a content; False if it is being written, or is there. Raises OSError."""
        part = self.folder / f"{digest}.part"
        with suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > STALE_S:
                part.unlink()
        try:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return False
        if (self.folder / digest).exists():  # it has arrived since it was looked for
            part.unlink()
            return False
        self.make_room(size)
        return True

    def make_room(self, size: int) -> None:
        """Remove the contents that were not used for longest."""
        held = [(path.stat(), path) for path in self.folder.iterdir() if DIGEST.fullmatch(path.name)]
        total = size + sum(found.st_size for found, _ in held)
        for found, path in sorted(held, key=lambda each: each[0].st_mtime):
            if total <= self.most:
                break
            path.unlink(missing_ok=True)
            total -= found.st_size

    async def take(self, digest: str, size: int, at: int, data: bytes) -> str:
        """Write a piece; with the last one the content is complete. Return '' or an error in one line."""
        if not DIGEST.fullmatch(digest):
            return "not a content"
        part = self.folder / f"{digest}.part"
        try:
            with part.open("r+b") as file:
                file.seek(at)
                file.write(data)
            if at + len(data) < size:
                return ""
            if await asyncio.to_thread(file_digest, part) != digest:
                part.unlink()
                return "a content has changed while it was sent"
            part.rename(self.folder / digest)
        except OSError as e:
            part.unlink(missing_ok=True)
            return f"cache: {e.strerror}"
        return ""

    def read(self, stored: StoredContent) -> bytes:
        """Return a content. Raises MissingContent."""
        held = self.folder / stored.digest
        for path in (held, self.elsewhere.get(stored.digest)):
            with suppress(OSError):
                if path is not None and os.path.getsize(path) == stored.size:
                    data = Path(path).read_bytes()
                    if hashlib.sha256(data).hexdigest() == stored.digest:
                        return data
        held.unlink(missing_ok=True)
        self.elsewhere.pop(stored.digest, None)
        raise MissingContent
