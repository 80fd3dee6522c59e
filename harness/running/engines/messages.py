"""Messages between the client of a cluster and its places, and the table of the fields of each, as they travel.

    client to place   ASKED, to a place that joins     ORDER, once a run     LEASE
    place to client   DESCRIBED                        ANSWER, to the last two

All travel as bytes of our own layout: what Dask pickles is the name of a function of `dask_place` and these bytes.
"""

from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult, Place, Sample
from harness.model.outcome import ROW, Rows, SourceDigest
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.engines.layout import (
    BYTES,
    FLAG,
    JSON,
    NUMBER,
    TEXT,
    WHOLE,
    Array,
    Choice,
    Fixed,
    Many,
    Maybe,
    Pairs,
    PlainField,
    Record,
)
from harness.running.workers.worker_pool import OpenState
from puzzles.problem.arrays import Int8Array, Int64Array, Masks, Solutions
from puzzles.problem.dumped import dump
from puzzles.stored import load

MASKS = (np.uint8, np.uint16, np.uint32, np.uint64)
DUMPED, LOADED = lru_cache(maxsize=2)(dump), lru_cache(maxsize=2)(load)  # boards are of many leases
LARGE = 1 << 20  # bytes of a problem that is not kept


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


@dataclass(frozen=True)
class SentLease:
    """Lease with small domains, and with the content of the file of its instance.

    problem  as `puzzles.problem.dumped` writes it
    """

    number: int
    problem: bytes
    puzzles: Int64Array
    domains: Masks
    alone: bool
    source: SourceDigest | None
    content: bytes | None
    repeat: int
    turns: tuple[int, ...]

    @classmethod
    def of(cls, lease: Lease) -> "SentLease":
        """Return a lease to send. Raises BadUsage if the file of its instance can't be read."""
        block = lease.block
        largest = int(block.domains.max(initial=0))
        kind = next(kind for kind in MASKS if largest <= np.iinfo(kind).max)
        domains: Masks = block.domains.astype(kind)
        content = None
        if block.source is not None:
            try:
                content = Path(block.source.path).read_bytes()
            except OSError as e:
                raise BadUsage(f"{block.source.path}: {e.strerror}") from e
        problem = (DUMPED if block.problem.shared else dump)(block.problem)
        alone, source, repeat, turns = block.alone, block.source, lease.repeat, lease.turns
        return cls(block.number, problem, block.puzzles, domains, alone, source, content, repeat, turns)

    def unpacked(self, folder: Path) -> Lease:
        """Return the lease; write the file of its instance to a folder of the place, over the last. Raises OSError."""
        source = self.source
        if source is not None and self.content is not None:
            path = folder / f"source{''.join(Path(source.path).suffixes[-2:])}"
            path.write_bytes(self.content)
            source = replace(source, path=str(path))
        problem = (LOADED if len(self.problem) < LARGE else load)(self.problem)
        block = Block(self.number, problem, self.puzzles, self.domains.astype(np.uint64), source, self.alone)
        return Lease(block, self.repeat, self.turns)


@dataclass(frozen=True)
class WireOutcomes:
    """Outcomes of a contender, as columns; `proved`, `checked` and `trajectories` as in Outcomes."""

    contender: int
    puzzles: Int64Array
    rows: Rows
    solutions: Solutions
    details: dict[int, str]
    proved: Int8Array | None
    checked: dict[int, tuple[str, int]]
    trajectories: dict[int, Trajectory]


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
class LeaseReply:
    """Reply to a lease: its result, an error, or `stopped` if the place has to end."""

    result: Returned | None = None
    failed: str = ""
    stopped: bool = False


CONTENDER = Record(Contender, **{name: PlainField(type_of) for name, type_of in Contender.__annotations__.items()})
ASKED = Record(Asked, names=Many(TEXT), settings=JSON)
TOLD = Record(Told, why=TEXT)
ORDER = Record(RunOrder, contenders=Many(CONTENDER), settings=JSON)
SOURCE = Record(SourceDigest, path=TEXT, format=TEXT, digest=TEXT)
LEASE = Record(
    SentLease,
    number=WHOLE,
    problem=BYTES,
    puzzles=Array(np.int64),
    domains=Array(*MASKS, dimensions=3),
    alone=FLAG,
    source=Maybe(SOURCE),
    content=Maybe(BYTES),
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
)
RETURNED = Record(
    Returned,
    began=WHOLE,
    ended=WHOLE,
    samples=Many(Fixed(WHOLE, WHOLE)),
    parts=Many(PART),
    opened=Many(Fixed(TEXT, WHOLE, Many(WHOLE), Many(WHOLE))),
)
ANSWER = Record(LeaseReply, result=Maybe(RETURNED), failed=TEXT, stopped=FLAG)
