"""Leases and their results as they travel between a run and its places: pickles, since all members trust each other.

    run to place   RunOrder, once a place    SentLease, for each lease
    place to run   Described                 Returned

What is large of a lease (its problem, its file, or the whole of it) travels apart (`contents.py`). A result has no
problem and no domains: its outcomes are attached to the run's own lease.
"""

import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult, Place, Sample
from harness.model.outcome import Batch, Outcomes, SourceDigest
from harness.running.engines.contents import LARGE, Content, Outbox, StoredContent, stored_as
from harness.running.workers.run_context import OpenState
from puzzles.problem.arrays import Int64Array, Masks
from puzzles.problem.dumped import dump
from puzzles.stored import load

MASKS = (np.uint8, np.uint16, np.uint32, np.uint64)
DUMPED, LOADED = lru_cache(maxsize=2)(dump), lru_cache(maxsize=2)(load)  # boards are of many leases
COLUMNS = tuple(each.name for each in fields(Outcomes) if each.name not in ("batch", "proofs", "logs"))
Bytes = bytes | StoredContent


@dataclass(frozen=True)
class RunOrder:
    """Run for which a place solves; `logs`: what programs print is wanted."""

    contenders: tuple[Contender, ...]
    settings: dict[str, Any]
    logs: bool = False


@dataclass(frozen=True)
class Described:
    """Place as it describes itself for a run, with its clock before and after; `busy`: others have its cores.

    why  the reason why it can't take part, '' if it can
    """

    why: str = ""
    busy: bool = False
    place: Place | None = None
    fingerprint: dict[str, str] = field(default_factory=dict)
    began: int = 0
    ended: int = 0


@dataclass(frozen=True)
class SentLease:
    """Lease with small domains, and with the content of the file of its instance.

    problem  as `puzzles.problem.dumped` writes it
    """

    number: int
    problem: Bytes
    puzzles: Int64Array
    domains: Masks
    alone: bool
    source: SourceDigest | None
    content: Bytes | None
    repeat: int
    contenders: tuple[int, ...]

    def unpacked(self, folder: Path, read: Callable[[StoredContent], bytes]) -> Lease:
        """Return the lease; write the file of its instance to a folder of the place, over the last.

        `read` returns a content. Raises OSError, MissingContent.
        """
        source = self.source
        if source is not None and self.content is not None:
            path = folder / f"source{''.join(Path(source.path).suffixes[-2:])}"
            path.write_bytes(read(self.content) if isinstance(self.content, StoredContent) else self.content)
            source = replace(source, path=str(path))
        problem = load(read(self.problem)) if isinstance(self.problem, StoredContent) else LOADED(self.problem)
        block = Block(self.number, problem, self.puzzles, self.domains.astype(np.uint64), source, self.alone)
        return Lease(block, self.repeat, self.contenders)


class Packer:
    """Messages of leases, with what travels apart; it remembers the problems of instances that come once a repeat."""

    def __init__(self, folder: Path) -> None:
        self.outbox = Outbox(folder)
        self.problems: dict[int, StoredContent] = {}  # large ones by block

    def packed(self, lease: Lease) -> tuple[bytes, list[Content]]:
        """Return the message of a lease, and contents. Raises BadUsage if the file of its instance can't be read."""
        block, apart = lease.block, list[Content]()
        largest = int(block.domains.max(initial=0))
        domains: Masks = block.domains.astype(next(kind for kind in MASKS if largest <= np.iinfo(kind).max))
        source, alone = block.source, block.alone
        try:
            content = self.file(source.path, apart) if source is not None else None
            problem = self.problem(block, apart)
            sent = SentLease(
                block.number, problem, block.puzzles, domains, alone, source, content, lease.repeat, lease.contenders
            )
            data = pickle.dumps(sent)
            return pickle.dumps(self.travelling(data, lambda: data, apart)), apart
        except OSError as e:
            raise BadUsage(f"{e.filename or self.outbox.folder}: {e.strerror}") from e

    def file(self, path: str, apart: list[Content]) -> Bytes:
        """Return the content of a file as it travels. Raises OSError."""
        return add(self.outbox.of_file(path), apart) if os.path.getsize(path) > LARGE else Path(path).read_bytes()

    def problem(self, block: Block, apart: list[Content]) -> Bytes:
        """Return the problem of a block as it travels. Raises OSError."""
        make = partial(dump, block.problem)
        if block.number in self.problems:
            return add(self.outbox.of_stored(self.problems[block.number], make), apart)
        found = self.travelling(DUMPED(block.problem) if block.problem.shared else make(), make, apart)
        if isinstance(found, StoredContent):
            self.problems[block.number] = found
        return found

    def travelling(self, data: bytes, make: Callable[[], bytes], apart: list[Content]) -> Bytes:
        """Return data as they travel; `make` makes them again."""
        return data if len(data) <= LARGE else add(self.outbox.of_stored(stored_as(data), make), apart)


def add(content: Content, apart: list[Content]) -> StoredContent:
    """Let a content travel apart."""
    apart.append(content)
    return content.stored


def lease_of(message: bytes, folder: Path, read: Callable[[StoredContent], bytes]) -> Lease:
    """Return the lease of a message, at a place. Raises OSError, MissingContent."""
    data = pickle.loads(message)
    sent: SentLease = pickle.loads(read(data) if isinstance(data, StoredContent) else data)
    return sent.unpacked(folder, read)


@dataclass(frozen=True)
class SentPart:
    """Outcomes of some instances of a lease by one contender: its number, ids of instances, columns of Outcomes."""

    contender: int
    puzzles: Int64Array
    columns: dict[str, Any]


@dataclass(frozen=True)
class Returned:
    """Result of a lease as its place returns it, with the reports of its workers up to now."""

    began: int
    ended: int
    samples: tuple[Sample, ...]
    parts: tuple[SentPart, ...]
    opened: list[OpenState] = field(default_factory=list)

    @classmethod
    def of(cls, result: LeaseResult, opened: list[OpenState]) -> "Returned":
        """Return the data to send of a result."""
        parts = (
            SentPart(some.batch.contender, some.batch.puzzles, {name: getattr(some, name) for name in COLUMNS})
            for some in result.outcomes
        )
        return cls(result.began, result.ended, result.samples, tuple(parts), opened)


def received(lease: Lease, returned: Returned) -> LeaseResult:
    """Return the result of a lease from what a place returned."""
    outcomes = tuple(attached(lease, part) for part in returned.parts)
    return LeaseResult(lease, 0, returned.began, returned.ended, outcomes, samples=returned.samples)


def attached(lease: Lease, part: SentPart) -> Outcomes:
    """Return a part as outcomes of its lease."""
    block, order = lease.block, np.argsort(lease.block.puzzles)
    at = order[np.searchsorted(block.puzzles, part.puzzles, sorter=order)]
    own = block.problem, block.puzzles[at], block.domains[at], len(at), block.source, block.alone
    return Outcomes(Batch(part.contender, lease.repeat, *own), **part.columns)
