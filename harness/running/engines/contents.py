"""Contents that travel apart from their lease, from the client to a machine, once each: problems and files.

    want(digest, size, path)   HAVE, SEND or WAIT            DIGEST, DIGEST.part while it arrives
    take(digest, size, at, data)   '' or an error            DIGEST at the end

The cache is a folder of the machine that all workers of a user share, of at most MOST bytes. A content is known by its
SHA-256, which is compared whenever it is read: solvers could write to that folder. The least recently used go first.
"""

import asyncio
import hashlib
import os
import re
import stat
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.model.digests import file_digest

PIECE = 1 << 22  # bytes of a message
LARGE = 1 << 16  # bytes of what travels apart
MOST = 4 << 30  # bytes of a machine's cache; one content may have more
HAVE, SEND, WAIT = "have", "send", "wait"
WAIT_S = 0.1
STALE_S = 30.0  # until a content that nobody goes on to send counts as given up
DIGEST = re.compile("[0-9a-f]{64}")
Want = Callable[[str, int, str], Coroutine[None, None, str]]
Take = Callable[[str, int, int, bytes], Coroutine[None, None, str]]


class MissingContent(Exception):
    """A content that the cache no longer has."""


@dataclass(frozen=True)
class StoredContent:
    """SHA-256 of a content, its size in bytes, and the path of a file that may have it on other machines too."""

    digest: str
    size: int
    path: str = ""


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
                self.files[key] = Content(StoredContent(digest, found.st_size, os.path.realpath(path)), Path(path))
        return self.files[key]


async def deliver(want: Want, take: Take, contents: Sequence[Content]) -> None:
    """Send contents to a machine, unless it has them or can read the file itself. Raises OSError."""
    for content in contents:
        digest, size, path = content.stored.digest, content.stored.size, content.stored.path
        while (answer := await want(digest, size, path)) == WAIT:
            await asyncio.sleep(WAIT_S)
        if answer == SEND:
            await asyncio.to_thread(content.write)
            await send(take, content)
        elif answer != HAVE:
            raise OSError(answer)


async def send(take: Take, content: Content) -> None:
    """Send a content in pieces. Raises OSError."""
    with content.path.open("rb") as file:
        at = 0
        while data := file.read(PIECE):
            if error := await take(content.stored.digest, content.stored.size, at, data):
                raise OSError(error)
            at += len(data)
    if at != content.stored.size:
        raise OSError(f"{content.path} has changed")


def machine_cache() -> Path:
    """Return the folder of this machine's contents, this user's alone. Raises OSError."""
    folder = Path(tempfile.gettempdir(), f"crosscheck-contents-{os.getuid()}")
    folder.mkdir(0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is not this user's alone")
    return folder


async def want(digest: str, size: int, path: str) -> str:
    """Return HAVE, SEND, or WAIT while another client sends it, at a machine; an error in one line."""
    try:
        target = (folder := machine_cache()) / digest
        if target.exists():
            os.utime(target)
            return HAVE
        there: bool = bool(path) and await asyncio.to_thread(has, path, digest, size)
        if there:
            return HAVE
        return SEND if begin(folder, digest, size) else WAIT
    except OSError as e:
        return f"cache: {e.strerror or e}"


def has(path: str, digest: str, size: int) -> bool:
    """Return True if a file of that path, as on a shared file system, has the content."""
    with suppress(OSError, ValueError):
        return os.path.isfile(path) and os.path.getsize(path) == size and file_digest(path) == digest
    return False


def begin(folder: Path, digest: str, size: int) -> bool:
    """Make room and an empty file for a content; False if it is being written, or is there. Raises OSError."""
    part = folder / f"{digest}.part"
    with suppress(FileNotFoundError):
        if time.time() - part.stat().st_mtime > STALE_S:
            part.unlink()
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    if (folder / digest).exists():  # it has arrived since it was looked for
        part.unlink()
        return False
    make_room(folder, size)
    return True


def make_room(folder: Path, size: int, most: int = MOST) -> None:
    """Remove the contents that were not used for longest."""
    held = [(path.stat(), path) for path in folder.iterdir() if DIGEST.fullmatch(path.name)]
    total = size + sum(found.st_size for found, _ in held)
    for found, path in sorted(held, key=lambda each: each[0].st_mtime):
        if total <= most:
            break
        path.unlink(missing_ok=True)
        total -= found.st_size


async def take(digest: str, size: int, at: int, data: bytes) -> str:
    """Write a piece at a machine; with the last one the content is complete. Return '' or an error in one line."""
    part = (folder := machine_cache()) / f"{digest}.part"
    try:
        with part.open("r+b") as file:
            file.seek(at)
            file.write(data)
        if at + len(data) < size:
            return ""
        if await asyncio.to_thread(file_digest, part) != digest:
            part.unlink()
            return "a content has changed while it was sent"
        part.rename(folder / digest)
    except OSError as e:
        part.unlink(missing_ok=True)
        return f"cache: {e.strerror or e}"
    return ""


def read(stored: StoredContent) -> bytes:
    """Return a content at a machine. Raises MissingContent; OSError."""
    folder = machine_cache()
    for path in (folder / stored.digest, Path(stored.path or os.devnull)):
        with suppress(OSError):
            if path.stat().st_size == stored.size:
                data = path.read_bytes()
                if hashlib.sha256(data).hexdigest() == stored.digest:
                    return data
    (folder / stored.digest).unlink(missing_ok=True)
    raise MissingContent
