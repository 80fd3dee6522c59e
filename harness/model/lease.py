"""Lease, the unit of work: one block of instances with all its contenders on one place.

    block   neighbouring instances of one problem
    lease   a block, for one repeat, with all contenders in the order in which they run
    place   a core of a machine that runs one lease at a time
    result  outcomes of a lease; committed to the journal once, whole, with its place

Outcomes of one lease share a machine, a core and a time, so they can be compared in pairs.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Self

from harness.model.outcome import Batch, Outcomes, SourceDigest
from puzzles.problem import Problem
from puzzles.problem.arrays import Int64Array, UInt64Array

INTERRUPTED, WHOLE, PART = 0, 1, 2  # of a lease: outcomes to be replaced; all, or the last of them; some, that stay
PIECES = 16  # pieces of a shard
EXPERIMENT = "experiment"  # metadata: text of the file that stated the run
SHARD = "shard"  # metadata: number and number of shards, if there are several
LATE_ANSWERS = "late"  # metadata: number of second answers to a lease, which were refused
CHANGED = "changed"  # metadata: number of times that others were found to have written, deleted or replaced the journal
REFUSED_PLACES = "refused"  # metadata: a text for each place that was refused
SEEDLESS = "seedless"  # metadata: of a run that draws seeds, the contenders that have none or state it
Sample = tuple[int, int]  # nanoseconds of wall and of CPU time of one pass of the reference work


Part = tuple[int, int]  # ids of the first and last of neighbouring instances


@dataclass(frozen=True)
class Shard:
    """Part of a run's instances: a journal of `run --shard NUMBER/OF` holds their outcomes; numbers from 1.

    Instances are cut into pieces of neighbours, which are dealt to the shards in turn: hard instances, which mostly
    stand together, are spread over the shards, and blocks do not have to be small.
    """

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        return f"shard {self.number} of {self.of}" if self.of > 1 else "a whole run"

    def parts(self, instances: int) -> list[Part]:
        """Return the pieces of this shard, in a run of `instances` instances."""
        pieces = 1 if self.of == 1 else PIECES
        size = max(1, -(-instances // (self.of * pieces)))
        firsts = range(1 + (self.number - 1) * size, instances + 1, self.of * size)
        return [(first, min(first + size - 1, instances)) for first in firsts]


def instances_of(parts: Sequence[Part]) -> int:
    """Return the number of instances of parts."""
    return sum(last - first + 1 for first, last in parts)


@dataclass(frozen=True)
class Block:
    """Neighbouring instances of one problem: journal ids int64[n], domains uint64[n, variables, words].

    `source` is the file of the instance, if it is the only one. `alone`: the problem has no other instance in the run.
    """

    number: int
    problem: Problem
    puzzles: Int64Array
    domains: UInt64Array
    source: SourceDigest | None = None
    alone: bool = False


@dataclass(frozen=True)
class Lease:
    """Block with all contenders, by number, in running order."""

    block: Block
    repeat: int
    contenders: tuple[int, ...]

    @classmethod
    def shuffled(cls, block: Block, repeat: int, contenders: int, seed: int) -> Self:
        """Return the lease of a block, its contenders shuffled by seed, repeat and block."""
        order = list(range(contenders))
        Random(f"{seed}/{repeat}/{int(block.puzzles[0])}").shuffle(order)
        return cls(block, repeat, tuple(order))

    def batches(self) -> Iterator[Batch]:
        """Yield a batch for each contender."""
        b = self.block
        for contender in self.contenders:
            yield Batch(contender, self.repeat, b.problem, b.puzzles, b.domains, len(b.puzzles), b.source, b.alone)

    def pieces(self) -> "Iterator[Lease]":
        """Yield leases of one instance and one contender each, in running order."""
        b = self.block
        for contender in self.contenders:
            for i in range(len(b.puzzles)):
                one = replace(b, puzzles=b.puzzles[i : i + 1], domains=b.domains[i : i + 1])
                yield Lease(one, self.repeat, (contender,))

    def __str__(self) -> str:
        n = len(self.block.puzzles)
        what = f"{n} instances" if n > 1 else f"instance {int(self.block.puzzles[0])}"
        return f"{what}, repeat {self.repeat + 1}, {len(self.contenders)} contender{'s' * (len(self.contenders) > 1)}"

    def without(self, contenders: Collection[int]) -> Self:
        """Return what remains of the lease without these contenders."""
        return replace(self, contenders=tuple(c for c in self.contenders if c not in contenders))

    def with_domains(self, domains: UInt64Array) -> Self:
        """Return the lease with other domains."""
        return replace(self, block=replace(self.block, domains=domains))


@dataclass(frozen=True)
class LeaseResult:
    """Outcomes of a lease, its place, and its begin and end in nanoseconds since the epoch.

    whole    WHOLE; INTERRUPTED if the run was, until a resumed run repeats the lease; PART for complete batches, which
             stay: what remains of the lease is another one
    samples  reference work timed before it
    """

    lease: Lease
    place: int
    began: int
    ended: int
    outcomes: tuple[Outcomes, ...]
    whole: int = WHOLE
    samples: tuple[Sample, ...] = ()


@dataclass(frozen=True)
class Place:
    """Place where leases run: a core of a machine (None: any), its versions and its solvers' environment."""

    host: dict[str, object]
    core: int | None
    versions: dict[str, str | None]
    environment: dict[str, str] = field(default_factory=dict)
