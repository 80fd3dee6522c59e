"""Columns derived from a whole journal, kept in the user's cache and never in a journal, which anybody can edit.

The key of an entry is the digest of the journal's file and of all code that derives from it, so another file or another
version finds nothing. An entry exists only of a file that passed validation, which need not be repeated. It begins with
its own digest: what is damaged counts as absent. Nothing here raises an error, and without a cache all is derived anew.
"""

import io
import os
import sqlite3
import sys
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from puzzles.caches import cache_home, source_digest

LEAST_BYTES = 1 << 22  # of a journal: smaller ones are judged sooner than looked up
MAX_BYTES = 1 << 28  # of all entries
DIGEST_BYTES = 32
VERDICTS = "verdicts"  # the part that is kept last, after validation
PACKAGES = ("puzzles", "encoders", "backends", "harness")
SIDE_FILES = ("-wal", "-journal")  # in which a journal has changes that its own file lacks
UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
Arrays = Mapping[str, npt.NDArray[Any]]
Identity = tuple[int, int, int, int]  # device, inode, size, time of change


def directory() -> Path:
    """Return the directory of all entries, which may not exist."""
    return cache_home() / "crosscheck" / "verdicts"


def identity(path: Path) -> Identity | None:
    """Return the identity of a file, None if the file can't be examined."""
    try:
        return identity_of(path.stat())
    except OSError:
        return None


def identity_of(found: os.stat_result) -> Identity:
    """Return the identity that a file's facts give."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@dataclass
class Derivations:
    """Entries of the cache for the content of an open journal; none without a key.

    verdicts  the columns of the entry `verdicts`, if there is one: then the content has passed validation
    version   SQLite's number of changes by others, when the key was made
    """

    db: sqlite3.Connection
    key: str | None = None
    version: object = None
    verdicts: Arrays | None = None

    @classmethod
    def of(cls, path: Path, db: sqlite3.Connection, opened: Identity | None) -> Self:
        """Return the entries of a journal whose file was `opened`; none if it is small or others write it."""
        version = db.execute("pragma data_version").fetchone()
        if opened is None or opened[2] < LEAST_BYTES or (key := key_of(path, opened)) is None:
            return cls(db)
        memory = cls(db, key, version)
        if not memory.is_current():
            return cls(db)
        memory.verdicts = memory.recall(VERDICTS)
        return memory

    def is_current(self) -> bool:
        """Return True if nobody has changed the journal since the key was made."""
        return bool(self.db.execute("pragma data_version").fetchone() == self.version)

    def recall(self, part: str) -> Arrays | None:
        """Return the columns of a part, None if the cache has none that are sound."""
        return recalled(entry(self.key, part)) if self.key else None

    def keep(self, part: str, columns: Arrays) -> None:
        """Keep the columns of a part, if the journal is still the one of the key."""
        if self.key and self.is_current():
            remember(entry(self.key, part), columns)


def entry(key: str, part: str) -> str:
    """Return the name of the entry for a part of what is derived from a content."""
    return sha256(f"{key} {part}".encode()).hexdigest()


def key_of(path: Path, opened: Identity) -> str | None:
    """Return the key of a journal's content; None if the file is not the one `opened`, or has a log beside it."""
    try:
        with path.open("rb") as file:
            same = identity_of(os.fstat(file.fileno())) == opened
            content = file_digest(file, "sha256")
        logged = any(os.path.lexists(f"{path}{suffix}") for suffix in SIDE_FILES)
    except OSError:
        return None
    code = code_digest()
    if logged or not same or not code:
        return None
    content.update(code.encode())
    return content.hexdigest()


@cache
def code_digest() -> str:
    """Return the digest of our code and of the libraries it computes with; '' if the code is not in files."""
    root = Path(__file__).parent.parent.parent
    if not all((root / name).is_dir() for name in PACKAGES):
        return ""
    tools = f"{sys.version}, numpy {np.__version__}, SQLite {sqlite3.sqlite_version}"
    return " ".join(source_digest(root / name, tools) for name in PACKAGES)


def recalled(name: str) -> Arrays | None:
    """Return the columns of an entry, None if there is none or it is damaged."""
    path = directory() / name
    try:
        raw = path.read_bytes()
        if raw[:DIGEST_BYTES] != sha256(raw[DIGEST_BYTES:]).digest():
            return None
        with np.load(io.BytesIO(raw[DIGEST_BYTES:]), allow_pickle=False) as stored:
            found = dict(stored.items())
    except UNREADABLE:
        return None
    with suppress(OSError):
        os.utime(path)  # used last, removed last
    return found


def remember(name: str, columns: Arrays) -> None:
    """Keep columns as an entry, if the cache can be written, and remove the entries used longest ago if it is full."""
    buffer = io.BytesIO()
    np.savez(buffer, **columns)  # type: ignore[arg-type,unused-ignore]
    content = buffer.getvalue()
    if len(content) > MAX_BYTES // 2:
        return
    part = directory() / f"{name}.{os.getpid()}"
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(sha256(content).digest() + content)
        part.replace(directory() / name)
        make_room()
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def make_room() -> None:
    """Remove the entries used longest ago until the others take at most MAX_BYTES. Raises OSError."""
    entries = [(entry, entry.stat()) for entry in directory().iterdir()]
    total = sum(facts.st_size for _, facts in entries)
    for entry, facts in sorted(entries, key=lambda each: each[1].st_mtime_ns):
        if total <= MAX_BYTES:
            return
        entry.unlink(missing_ok=True)
        total -= facts.st_size
