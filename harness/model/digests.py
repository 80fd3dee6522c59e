"""Digests of files and folders."""

import hashlib
from collections.abc import Iterable
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
        if path.is_file():
            return file_digest(path)
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
        start = file.read(SMALL_BYTES) or b""
        if len(start) < SMALL_BYTES and not file.read(1):
            return hashlib.sha256(start).hexdigest()
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def listed_digest(root: Path, files: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and digests of files."""
    listed = "".join(f"{digest(p)} {name_in(root, p)!r}\n" for p in files)
    return hashlib.sha256(listed.encode()).hexdigest()
