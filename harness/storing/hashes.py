"""Names of puzzles by their content, so that renamed copies meet across journals."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator

from harness.storing.journal import Journal
from puzzles.layout import Layout


def board_hash(layout: Layout) -> bytes:
    """What names a layout by its content; its own name does not count."""
    return hashlib.blake2b(json.dumps(layout.key[1:]).encode(), digest_size=8).digest()


def content_hash(board: bytes, domains: bytes) -> str:
    """What names a puzzle by its content, so that it is met again in a renamed or moved corpus."""
    return hashlib.blake2b(board + domains, digest_size=8).hexdigest()


def hashes(journal: Journal) -> Iterator[tuple[int, str, str]]:
    """Id, name and content hash of every puzzle, by id."""
    boards = {i: board_hash(layout) for i, layout in journal.layouts.items()}
    for i, name, layout, domains in journal.db.execute("select id, name, layout, domains from puzzles order by id"):
        yield i, name, content_hash(boards[layout], domains)


def content(journal: Journal) -> dict[tuple[str, int], int]:
    """(content hash, which of several with it) -> id, in the order of ids."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], int] = {}
    for i, _, key in hashes(journal):
        found[key, seen[key]] = i
        seen[key] += 1
    return found
