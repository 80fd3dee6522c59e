"""Content hashes of instances, which match renamed copies of instances across journals."""

import hashlib
from collections import Counter
from collections.abc import Iterator

from harness.storing.journal import Journal
from puzzles import imported


def content_hash(digest: str, domains: bytes) -> str:
    """Return the hash of an instance from the digest of its problem and its stored domains, or its name if imported."""
    return hashlib.blake2b(bytes.fromhex(digest) + domains, digest_size=8).hexdigest()


def content_hashes(journal: Journal) -> Iterator[tuple[int, str, str]]:
    """Yield id, name and content hash of every instance, by id."""
    for i, name, digest, domains in journal.instances.contents():
        yield i, name, content_hash(digest, name.encode() if digest in imported.digests() else domains)


def ids_by_content(journal: Journal, by_name: bool = False) -> dict[tuple[str, int], int]:
    """Map (content hash or name, index among instances with the same hash or name) to id, in the order of ids."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], int] = {}
    for i, name, content in content_hashes(journal):
        key = name if by_name else content
        found[key, seen[key]] = i
        seen[key] += 1
    return found
