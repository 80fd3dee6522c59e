"""Digests of files and folders."""

import hashlib
import os
import stat
from collections.abc import Iterable
from io import FileIO
from operator import attrgetter
from pathlib import Path

from puzzles.errors import BadInput
from puzzles.readers.folder import instance_files, is_pattern, listing_of, name_in, root_of

SMALL_BYTES = 1 << 14  # of a file that is read at once: the buffer of `file_digest` takes longer


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a regular file's content, None if it can't be read.

    A folder's digest is of the names and digests of its files; that of a pattern or a list, of the files that it names
    and of their claims.
    """
    try:
        found, _ = digest_and_start(path)
        if found is not None:
            return found
        if path.is_dir():
            return listed_digest(path, sorted((p for p in path.rglob("*") if p.is_file()), key=attrgetter("parts")))
        if is_pattern(path) or listing_of(path):
            from puzzles.readers.claims import claim_files

            files = instance_files(path)
            return listed_digest(root_of(path), [*files, *claim_files(path, files)])
        return None  # a pipe or device may never end
    except (OSError, BadInput):
        return None


def file_digest(path: Path | str) -> str:
    """Return the SHA-256 of a file. Raises OSError."""
    with open(path, "rb", buffering=0) as file:
        return content_digest(file)[0]


def digest_and_start(path: Path) -> tuple[str | None, bytes]:
    """Return the SHA-256 of a regular file's content, None if it can't be read, and its first bytes."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # to open a pipe would end its writer
            return None, b""
        with open(path, "rb", buffering=0) as file:
            return content_digest(file)
    except OSError:
        return None, b""


def content_digest(file: FileIO) -> tuple[str, bytes]:
    """Return the SHA-256 of an open file, and its first bytes. Raises OSError."""
    start = file.read(SMALL_BYTES) or b""
    if len(start) < SMALL_BYTES and not file.read(1):
        return hashlib.sha256(start).hexdigest(), start
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest(), start


def listed_digest(root: Path, files: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and digests of files."""
    listed = "".join(f"{digest(p)} {name_in(root, p)!r}\n" for p in files)
    return hashlib.sha256(listed.encode()).hexdigest()
