"""Messages between the client of a cluster and its places, and the table of the fields of each, as they travel.

    client to place   ASKED, to a place that joins     ORDER, once a run     SENT, with a LEASE
    place to client   DESCRIBED                        ANSWER, to the last two

What is large, of a lease or the whole of it, travels apart (`contents.py`). All travel as bytes of our own layout:
what Dask pickles is the name of a function of `dask_place` and these bytes.
"""

import os
from collections.abc import Callable
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult, Place, Sample
from harness.model.outcome import ROW, Rows, SourceDigest
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.engines.contents import LARGE, Content, Outbox, StoredContent, stored_as
from harness.running.engines.layout import (
    BYTES,
    FLAG,
    JSON,
    NUMBER,
    TEXT,
    WHOLE,
    Array,
    Choice,
    Either,
    Fixed,
    Many,
    Maybe,
    Pairs,
    PlainField,
    Record,
    encode,
)
from harness.running.workers.run_context import OpenState
from puzzles.problem.arrays import Int8Array, Int64Array, Masks, Solutions
from puzzles.problem.dumped import dump
from puzzles.stored import load

MASKS = (np.uint8, np.uint16, np.uint32, np.uint64)
DUMPED, LOADED = lru_cache(maxsize=2)(dump), lru_cache(maxsize=2)(load)  # boards are of many leases


@dataclass(frozen=True)
class Asked:
    """Run that a place may take part in: names of its contenders, and its settings."""

    names: tuple[str, ...]
    settings: dict[str, Any]


@dataclass(frozen=True)
class Told:
    """Reason why a place can't take part in a run."""

    why: str


@dataclass(frozen=True)
class RunOrder:
    """Run for which a place solves: sent once to each place."""

    contenders: tuple[Contender, ...]
    settings: dict[str, Any]
    logs: bool = False  # True if what programs print is wanted


@dataclass(frozen=True)
class SentLease:
    """Lease with small domains, and with the content of the file of its instance.

    problem  as `puzzles.problem.dumped` writes it
    """

    number: int
    problem: bytes | StoredContent
    puzzles: Int64Array
    domains: Masks
    alone: bool
    source: SourceDigest | None
    content: bytes | StoredContent | None
    repeat: int
    turns: tuple[int, ...]

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
        return Lease(block, self.repeat, self.turns)


class Packer:
    """Messages of leases, with what travels apart; it remembers the problems of instances that come once a repeat."""

    def __init__(self, folder: Path) -> None:
        self.outbox = Outbox(folder)
        self.problems: dict[int, StoredContent] = {}  # large ones by block

    def packed(self, lease: Lease) -> tuple[bytes, list[Content]]:
        """Return the message of a lease, and contents. Raises BadUsage if the file of its instance can't be read."""
        block, apart = lease.block, list[Content]()
        largest = int(block.domains.max(initial=0))
        kind = next(kind for kind in MASKS if largest <= np.iinfo(kind).max)
        domains: Masks = block.domains.astype(kind)
        try:
            content = self.file(block.source.path, apart) if block.source is not None else None
            alone, source, repeat, turns = block.alone, block.source, lease.repeat, lease.contenders
            problem = self.problem(block, apart)
            sent = SentLease(block.number, problem, block.puzzles, domains, alone, source, content, repeat, turns)
            data = encode(LEASE, sent)
            return encode(SENT, Sent(self.travelling(data, lambda: data, apart))), apart
        except OSError as e:
            raise BadUsage(f"{e.filename or self.outbox.folder}: {e.strerror}") from e

    def file(self, path: str, apart: list[Content]) -> bytes | StoredContent:
        """Return the content of a file as it travels. Raises OSError."""
        return add(self.outbox.of_file(path), apart) if os.path.getsize(path) > LARGE else Path(path).read_bytes()

    def problem(self, block: Block, apart: list[Content]) -> bytes | StoredContent:
        """Return the problem of a block as it travels. Raises OSError."""
        make = partial(dump, block.problem)
        if block.number in self.problems:
            return add(self.outbox.of_stored(self.problems[block.number], make), apart)
        found = self.travelling(DUMPED(block.problem) if block.problem.shared else make(), make, apart)
        if isinstance(found, StoredContent):
            self.problems[block.number] = found
        return found

    def travelling(self, data: bytes, make: Callable[[], bytes], apart: list[Content]) -> bytes | StoredContent:
        """Return data as they travel; `make` makes them again."""
        return data if len(data) <= LARGE else add(self.outbox.of_stored(stored_as(data), make), apart)


def add(content: Content, apart: list[Content]) -> StoredContent:
    """Let a content travel apart."""
    apart.append(content)
    return content.stored


@dataclass(frozen=True)
class Sent:
    """A LEASE, or the content that holds it."""

    lease: bytes | StoredContent


@dataclass(frozen=True)
class WireOutcomes:
    """Outcomes of a contender, as columns; `proved`, `checked`, `trajectories` and `printed` as in Outcomes."""

    contender: int
    puzzles: Int64Array
    rows: Rows
    solutions: Solutions
    details: dict[int, str]
    proved: Int8Array | None
    checked: dict[int, tuple[str, int]]
    trajectories: dict[int, Trajectory]
    printed: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)


@dataclass(frozen=True)
class Returned:
    """Result of a lease as its place returns it, with the reports of its workers up to now.

    opened  by contender: version, setup, clocks, and observations
    """

    began: int
    ended: int
    samples: tuple[Sample, ...]
    parts: tuple[WireOutcomes, ...]
    opened: tuple[tuple[str, int, tuple[int, ...], tuple[int, ...]], ...]

    @classmethod
    def of(cls, result: LeaseResult, opened: list[OpenState]) -> "Returned":
        """Return the data to send of a result."""
        parts = (
            WireOutcomes(
                o.batch.contender,
                o.batch.puzzles,
                o.rows,
                o.solutions,
                o.details,
                o.proved,
                {i: (proof.digest, proof.size) for i, proof in o.checked.items()},
                o.trajectories,
                o.printed,
            )
            for o in result.outcomes
        )
        states = ((s.version, s.setup, astuple(s.clocks), astuple(s.observed)) for s in opened)
        return cls(result.began, result.ended, result.samples, tuple(parts), tuple(states))


@dataclass(frozen=True)
class Described:
    """A place as it describes itself for a run, or in `refused` why it can't take part.

    began, ended  nanoseconds since the epoch by its clock, around the description
    """

    refused: str = ""
    place: Place | None = None
    fingerprint: dict[str, str] = field(default_factory=dict)
    began: int = 0
    ended: int = 0


@dataclass(frozen=True)
class GivenTurns:
    """Turns of a lease that a place does not run."""

    turns: tuple[int, ...]


@dataclass(frozen=True)
class LeaseReply:
    """Reply to a lease: its result, an error, `stopped` if the place has to end, `missing` if it lacks a content."""

    result: Returned | None = None
    failed: str = ""
    stopped: bool = False
    missing: bool = False


CONTENDER = Record(Contender, **{name: PlainField(type_of) for name, type_of in Contender.__annotations__.items()})
ASKED = Record(Asked, names=Many(TEXT), settings=JSON)
GIVEN = Record(GivenTurns, turns=Many(WHOLE))
TOLD = Record(Told, why=TEXT)
ORDER = Record(RunOrder, contenders=Many(CONTENDER), settings=JSON, logs=FLAG)
SOURCE = Record(SourceDigest, path=TEXT, format=TEXT, digest=TEXT)
PLAIN_OR_STORED = Either(BYTES, Record(StoredContent, digest=TEXT, size=WHOLE))
SENT = Record(Sent, lease=PLAIN_OR_STORED)
LEASE = Record(
    SentLease,
    number=WHOLE,
    problem=PLAIN_OR_STORED,
    puzzles=Array(np.int64),
    domains=Array(*MASKS, dimensions=3),
    alone=FLAG,
    source=Maybe(SOURCE),
    content=Maybe(PLAIN_OR_STORED),
    repeat=WHOLE,
    turns=Many(WHOLE),
)

PLACE = Record(
    Place,
    host=Pairs(TEXT, PlainField(str, int, type(None))),
    core=Maybe(WHOLE),
    versions=Pairs(TEXT, Maybe(TEXT)),
    environment=Pairs(TEXT, TEXT),
)
DESCRIBED = Record(Described, refused=TEXT, place=Maybe(PLACE), fingerprint=Pairs(TEXT, TEXT), began=WHOLE, ended=WHOLE)
STEP = Record(Step, ns=WHOLE, kind=Choice(StepKind), value=Maybe(NUMBER), stated=Maybe(NUMBER))
TRAJECTORY = Record(
    Trajectory,
    steps=Many(STEP),
    stated=Maybe(NUMBER),
    bound=Maybe(NUMBER),
    dropped=WHOLE,
    faults=WHOLE,
)
PART = Record(
    WireOutcomes,
    contender=WHOLE,
    puzzles=Array(np.int64),
    rows=Array(ROW),
    solutions=Array(np.uint8, np.uint16, np.uint32, dimensions=2),
    details=Pairs(WHOLE, TEXT),
    proved=Maybe(Array(np.int8)),
    checked=Pairs(WHOLE, Fixed(TEXT, WHOLE)),
    trajectories=Pairs(WHOLE, TRAJECTORY),
    printed=Pairs(WHOLE, Fixed(BYTES, BYTES)),
)
RETURNED = Record(
    Returned,
    began=WHOLE,
    ended=WHOLE,
    samples=Many(Fixed(WHOLE, WHOLE)),
    parts=Many(PART),
    opened=Many(Fixed(TEXT, WHOLE, Many(WHOLE), Many(WHOLE))),
)
ANSWER = Record(LeaseReply, result=Maybe(RETURNED), failed=TEXT, stopped=FLAG, missing=FLAG)
