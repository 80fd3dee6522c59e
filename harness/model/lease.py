"""Lease, the unit of work: one block of instances with all its contenders on one place.

    block   neighbouring instances of one problem
    lease   a block, for one repeat, with all contenders in the order in which they run
    place   a core of a machine that runs one lease at a time
    result  outcomes of a lease; committed to the journal once, whole, with its place

Outcomes of one lease share a machine, a core and a time, so they can be compared in pairs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Self

from backends.answer import Int64Array, UInt64Array
from harness.model.outcome import Batch, Outcomes, SourceDigest
from puzzles.problem import Problem

Sample = tuple[int, int]  # nanoseconds of wall and of CPU time of one pass of the reference work


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
    """Block with all contenders, by number, in running order. `samples`: reference work timed before it."""

    block: Block
    repeat: int
    turns: tuple[int, ...]
    samples: tuple[Sample, ...] = ()

    @classmethod
    def shuffled(cls, block: Block, repeat: int, contenders: int, seed: int) -> Self:
        """Return the lease of a block, its contenders shuffled by seed, repeat and block."""
        turns = list(range(contenders))
        Random(f"{seed}/{repeat}/{int(block.puzzles[0])}").shuffle(turns)
        return cls(block, repeat, tuple(turns))

    def batches(self) -> Iterator[Batch]:
        """Yield a batch for each turn."""
        b = self.block
        for contender in self.turns:
            yield Batch(contender, self.repeat, b.problem, b.puzzles, b.domains, len(b.puzzles), b.source, b.alone)

    def with_domains(self, domains: UInt64Array) -> Self:
        """Return the same lease with other domains."""
        return replace(self, block=replace(self.block, domains=domains))


@dataclass(frozen=True)
class LeaseResult:
    """Outcomes of a lease, its place, and its begin and end in nanoseconds since the epoch.

    `whole` is False if the run was interrupted; such a lease is kept until a resumed run repeats it.
    """

    lease: Lease
    place: int
    began: int
    ended: int
    outcomes: tuple[Outcomes, ...]
    whole: bool = True


@dataclass(frozen=True)
class Place:
    """Place where leases run: a core of a machine (None: any), its versions and its solvers' environment."""

    host: dict[str, object]
    core: int | None
    versions: dict[str, str | None]
    environment: dict[str, str] = field(default_factory=dict)
